import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { PreviewCards } from '../db/schema.ts'
import { sql, type Sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { Account } from './account.ts'
import { cacheablePart, extendPart, type Form, listPart, objectPart, type Part, partCache } from './parts.ts'
import { DateTime, nullable } from './schema.ts'

const Author = Type.Object(
  { name: Type.String(), url: Type.String(), account: nullable(Account) },
  { $id: 'PreviewCardAuthor' },
)

/** https://docs.joinmastodon.org/entities/PreviewCard/ */
export const PreviewCard = Type.Object(
  {
    url: Type.String(),
    title: Type.String(),
    description: Type.String(),
    language: nullable(Type.String()),
    type: Type.Union([Type.Literal('link'), Type.Literal('photo'), Type.Literal('video'), Type.Literal('rich')]),
    authors: Type.Array(Author),
    author_name: Type.String(),
    author_url: Type.String(),
    provider_name: Type.String(),
    provider_url: Type.String(),
    html: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    image: nullable(Type.String()),
    image_description: Type.String(),
    embed_url: Type.String(),
    blurhash: nullable(Type.String()),
    published_at: nullable(DateTime),
    missing_attribution: nullable(Type.Boolean()),
  },
  { $id: 'PreviewCard' },
)
export type PreviewCard = Static<typeof PreviewCard>

export type CardFacts = {
  card: {
    id: string
    version: string
    creator: string | null
    /** Whether the creator allows the page to name it. */
    verified: boolean | null
  } | null
}

export const factsOfCard = (id: Sql): Sql => sql`(
  select json_build_object('id', xc.id::text, 'version', xc.xmin::text, 'creator', xc.creator_id::text, 'verified', (
    select xca.attribution_domains && xc.hosts and xca.suspended_at is null from accounts xca where xca.id = xc.creator_id))
  from preview_cards xc where xc.id = ${id})`

/** Of a status `s`. */
export const cardFacts: Sql = sql`case when s.card_id is not null then ${factsOfCard(sql`s.card_id`)} end as card`

type CardRow = Omit<PreviewCards, 'type' | 'creator_id' | 'hosts' | 'fetched_at' | 'retry_at' | 'created_at'> & {
  type: PreviewCard['type']
}

const cardColumns: Sql = sql`id, link, url, type, title, description, language, author_name, author_url, provider_name, provider_url,
  html, width, height, image_key, image_description, embed_url, blurhash, published_at`

/** Without the members that depend on the viewer and on the author's account. */
type CardContent = { version: string; part: Part; author: { name: string; url: string } | null }

const contents = partCache<CardContent>({ max: 20_000, maxBytes: 32 * 1024 * 1024 })

/** One statement, or none when all previews are cached. */
export async function loadMissingCards(ctx: Context, form: Form, facts: readonly CardFacts[]): Promise<void> {
  const cache = contents(ctx)[form]
  const missing = facts.flatMap(({ card }) => (card && cache.get(card.id)?.version !== card.version ? [card] : []))
  if (missing.length === 0) return
  const rows = await ctx.db.many<CardRow>(
    sql`select ${cardColumns} from preview_cards where id = any(${missing.map(({ id }) => id)}::bigint[])`,
  )
  const version = new Map(missing.map((card) => [card.id, card.version]))
  for (const row of rows) cache.set(row.id, { version: version.get(row.id) as string, ...contentOf(ctx, form, row) })
}

function contentOf(ctx: Context, form: Form, row: CardRow): Omit<CardContent, 'version'> {
  const { id: _, link, image_key, author_name, author_url, published_at, ...plain } = row
  const members: Omit<PreviewCard, 'authors' | 'missing_attribution'> = {
    url: plain.url || link,
    title: plain.title,
    description: plain.description,
    language: plain.language,
    type: plain.type,
    author_name,
    author_url,
    provider_name: plain.provider_name,
    provider_url: plain.provider_url,
    html: plain.html,
    width: plain.width,
    height: plain.height,
    image: image_key === null ? null : ctx.files.url(image_key),
    image_description: plain.image_description,
    embed_url: plain.embed_url,
    blurhash: plain.blurhash,
    published_at: published_at?.toISOString() ?? null,
  }
  const author = author_name || author_url ? { name: author_name, url: author_url } : null
  return { part: cacheablePart(form, members), author }
}

export function creatorsOf(facts: readonly CardFacts[]): string[] {
  return [...new Set(facts.flatMap(({ card }) => (card?.verified && card.creator ? [card.creator] : [])))]
}

/** `accounts`: those of `creatorsOf`. */
export function presentCard(
  ctx: Context,
  form: Form,
  { card }: CardFacts,
  viewer: MaybeViewer,
  accounts: ReadonlyMap<string, Part>,
): Part | null {
  const content = card && contents(ctx)[form].get(card.id)
  if (!card || !content) return null
  const account = card.verified && card.creator ? (accounts.get(card.creator) ?? null) : null
  const author = content.author ?? { name: '', url: '' }
  const authors = account || content.author ? [objectPart(form, { ...author, account })] : []
  // Only the named account learns that its attribution is missing.
  const isCreator = viewer !== null && viewer.accountId === card.creator
  return extendPart(content.part, {
    authors: listPart(form, authors),
    missing_attribution: isCreator ? !card.verified : null,
  })
}
