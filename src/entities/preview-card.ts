import { LRUCache } from 'lru-cache'
import Type, { type Static } from 'typebox'
import { perServer, type Context } from '../context.ts'
import type { PreviewCards } from '../db/schema.ts'
import { sql, type Sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { openJson } from '../lib/json.ts'
import { Account } from './account.ts'
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

/** The preview of a status's link, as it is read with the status. */
export type CardFacts = {
  card: {
    id: string
    version: string
    /** Whom the page names as its author. */
    creator: string | null
    /** Whether they say that it may. */
    verified: boolean | null
  } | null
}

/** The column of CardFacts, of a status `s`. Costs nothing where there is none. */
export const cardFacts: Sql = sql`case when s.card_id is not null then (
  select json_build_object('id', xc.id::text, 'version', xc.xmin::text, 'creator', xc.creator_id::text, 'verified', (
    select xca.attribution_domains && xc.hosts and xca.suspended_at is null from accounts xca where xca.id = xc.creator_id))
  from preview_cards xc where xc.id = s.card_id) end as card`

type CardRow = Omit<PreviewCards, 'type' | 'creator_id' | 'hosts' | 'fetched_at' | 'retry_at' | 'created_at'> & {
  type: PreviewCard['type']
}

const cardColumns: Sql = sql`id, link, url, type, title, description, language, author_name, author_url, provider_name, provider_url,
  html, width, height, image_key, image_description, embed_url, blurhash, published_at`

/** A preview without what belongs to its viewer and to the account that wrote the page. */
type CardContent = { version: string; json: Buffer; author: string | null }

/** Ready previews, valid for exactly the row version that made them. */
const contents = perServer(
  () =>
    new LRUCache<string, CardContent>({
      max: 20_000,
      maxSize: 32 * 1024 * 1024,
      sizeCalculation: ({ json }) => json.length + 200,
    }),
)

/** Reads and renders what is not ready yet: one statement, where there is anything. */
export async function loadMissingCards(ctx: Context, facts: readonly CardFacts[]): Promise<void> {
  const cache = contents(ctx)
  const missing = facts.flatMap(({ card }) => (card && cache.get(card.id)?.version !== card.version ? [card] : []))
  if (missing.length === 0) return
  const rows = await ctx.db.many<CardRow>(
    sql`select ${cardColumns} from preview_cards where id = any(${missing.map(({ id }) => id)}::bigint[])`,
  )
  const version = new Map(missing.map((card) => [card.id, card.version]))
  for (const row of rows) cache.set(row.id, { version: version.get(row.id) as string, ...contentOf(ctx, row) })
}

function contentOf(ctx: Context, row: CardRow): Omit<CardContent, 'version'> {
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
  const author = author_name || author_url ? JSON.stringify({ name: author_name, url: author_url }).slice(0, -1) : null
  return { json: openJson(members), author }
}

/** The accounts that are shown as authors of what statuses link to. */
export function creatorsOf(facts: readonly CardFacts[]): string[] {
  return [...new Set(facts.flatMap(({ card }) => (card?.verified && card.creator ? [card.creator] : [])))]
}

/** The preview as JSON text in pieces. `accounts` has those of `creatorsOf`. */
export function cardPieces(
  ctx: Context,
  { card }: CardFacts,
  viewer: MaybeViewer,
  accounts: ReadonlyMap<string, Buffer>,
): (string | Buffer)[] {
  const content = card && contents(ctx).get(card.id)
  if (!card || !content) return ['null']
  const account = card.verified && card.creator ? (accounts.get(card.creator) ?? null) : null
  // Only whoever is named may learn that they should say so.
  const isMine = viewer !== null && viewer.accountId === card.creator
  const end = `],"missing_attribution":${isMine ? String(!card.verified) : 'null'}}`
  if (!account && content.author === null) return [content.json, `,"authors":[${end}`]
  const author = content.author ?? '{"name":"","url":""'
  return [content.json, `,"authors":[${author},"account":`, account ?? 'null', `}${end}`]
}
