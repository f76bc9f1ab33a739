import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { neverCurrent } from '../db/coherent-cache.ts'
import type { PreviewCards } from '../db/schema.ts'
import { sql, type Sql } from '../db/sql.ts'
import { loadAccountFacts } from '../domain/accounts/account-facts.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { assembleAccounts } from './account-presenter.ts'
import { Account } from './account.ts'
import {
  presentCacheable,
  extendPresented,
  type EntityFormat,
  presentArray,
  presentObject,
  type Presented,
  presentedCaches,
} from './entity-format.ts'
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

type CardRow = Omit<PreviewCards, 'type' | 'fetched_at' | 'retry_at' | 'created_at'> & {
  type: PreviewCard['type']
}

const cardColumns: Sql = sql`id, link, url, type, title, description, language, author_name, author_url, provider_name, provider_url,
  html, width, height, image_key, image_description, embed_url, blurhash, published_at, creator_id, hosts`

/** Without the members that depend on the viewer and on the account that the page names as its author. */
type CardContent = Pick<PreviewCards, 'creator_id' | 'hosts'> & {
  presented: Presented
  /** The whole card, where no account is named: the same for all viewers. */
  whole: Presented | null
  creator: null
  author: { name: string; url: string } | null
}

/** `creator`: the account that the page names as its author, if it allows that. */
export type Card = Omit<CardContent, 'creator'> & { creator: Presented | null }

const contents = presentedCaches<CardContent>(['card'], 4 * 1024 * 1024)

/** By id. No statement when all are cached. */
export async function loadCards(
  ctx: Context,
  format: EntityFormat,
  ids: readonly string[],
): Promise<Map<string, Card>> {
  if (ids.length === 0) return new Map()
  const cards = await contents(ctx)[format].load(ctx, ids, async (missing) => {
    const rows = await ctx.db.many<CardRow>(
      sql`select ${cardColumns} from preview_cards where id = any(${missing}::bigint[])`,
    )
    return rows.map((row) => [row.id, contentOf(ctx, format, row)])
  })
  const creators = await loadAccountFacts(
    ctx,
    [...cards.values()].flatMap(({ creator_id }) => creator_id ?? []),
  )
  const allows = ({ creator_id, hosts }: CardContent): boolean => {
    const account = creators.get(creator_id ?? '')
    return (
      account !== undefined && !account.suspended && account.attribution_domains.some((each) => hosts.includes(each))
    )
  }
  const named = await assembleAccounts(
    ctx,
    format,
    [...cards.values()].flatMap((card) => (allows(card) ? (card.creator_id as string) : [])),
  )
  return new Map(
    [...cards].map(([id, card]) =>
      card.creator_id === null
        ? [id, card]
        : [id, neverCurrent({ ...card, creator: named.get(card.creator_id) ?? null })],
    ),
  )
}

function contentOf(ctx: Context, format: EntityFormat, row: CardRow): CardContent {
  const { id: _, creator_id, hosts, link, image_key, author_name, author_url, published_at, ...plain } = row
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
  const content = {
    presented: presentCacheable(format, members),
    author,
    creator_id,
    hosts,
    whole: null,
    creator: null,
  }
  return creator_id === null ? { ...content, whole: presentCard(format, content, null) } : content
}

export function presentCard(format: EntityFormat, card: Card | undefined, viewer: MaybeViewer): Presented | null {
  if (!card) return null
  const author = card.author ?? { name: '', url: '' }
  const authors = card.creator || card.author ? [presentObject(format, { ...author, account: card.creator })] : []
  // Only the named account learns that its attribution is missing.
  const isCreator = viewer !== null && viewer.accountId === card.creator_id
  return extendPresented(card.presented, {
    authors: presentArray(format, authors),
    missing_attribution: isCreator ? card.creator === null : null,
  })
}
