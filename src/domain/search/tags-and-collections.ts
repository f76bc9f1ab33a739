import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import { findsWord, hasTrigrams, isIndexed } from '../../db/name-words.ts'
import { allOf, escapeLike, nothing, plannedByValue, sql } from '../../db/sql.ts'
import { normaliseUnicode } from '../../lib/text/linear-time.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import { isCollectionShown } from '../collections/visible.ts'
import { parseCollectionUrl } from '../server/addresses.ts'
import type { MaybeViewer } from '../statuses/visibility.ts'
import { isTagKnown } from '../tags/tags.ts'

type TagSearch = {
  q: string
  viewerId: string | null
  limit: number
  offset?: number
  /** Leaves out hashtags that staff has not reviewed, apart from the one with exactly this name. */
  excludeUnreviewed?: boolean
}

/** How similar spellings must be; 1: equal. */
const MIN_SIMILARITY = 0.5

/** Only the most recently used candidates are ranked, and at most this many uses of each are counted. */
const MAX_CANDIDATES = 200
const MAX_COUNTED_USES = 20

/**
 * First the hashtag with this name, then those with this prefix, then those with a similar name; each by number of uses, the day
 * of the last one, and name. Of those that are used a lot, the most recently used come first.
 */
export async function searchTags(
  ctx: Context,
  { q, viewerId, limit, offset = 0, excludeUnreviewed = false }: TagSearch,
): Promise<string[]> {
  const name = normaliseTag(q)
  if (name === '') return []
  const prefix = `${escapeLike(name)}%`
  // A text without trigrams is similar to no name, but PostgreSQL would compare it with all of them.
  const guard = hasTrigrams(name) ? nothing : sql`cardinality(show_trgm(${name})) > 0 and`
  const similar = sql`(name like ${prefix} or (${guard} name % ${name} and similarity(name, ${name}) >= ${MIN_SIMILARITY}))`
  // Whether the viewer may know of a hashtag can depend on its uses, which have to be read. So this is checked for candidates
  // only, and those without public uses come last.
  const statement = sql`
    select tags.id from (
      select id, name, last_status_at, name = ${name} as exact, name like ${prefix} as begins
      from tags where listable and ${similar} ${excludeUnreviewed ? sql`and (reviewed_at is not null or name = ${name})` : nothing}
      order by exact desc, begins desc, last_status_at desc nulls last, similarity(name, ${name}) desc, id limit ${MAX_CANDIDATES}::int
    ) tags cross join lateral (
      select count(*) as uses from (select from status_tags st where st.tag_id = tags.id limit ${MAX_COUNTED_USES}::int) counted
    ) u
    where ${isTagKnown(viewerId)}
    order by exact desc, begins desc, uses desc, date_trunc('day', tags.last_status_at, 'UTC') desc nulls last, length(tags.name), tags.name
    limit ${limit} offset ${offset}`
  const rows = await ctx.db.many<{ id: string }>(hasTrigrams(name) ? statement : plannedByValue(statement))
  return rows.map(({ id }) => id)
}

/** Further words of a query are ignored. */
const MAX_WORDS = 8

/**
 * A name must contain every word of the query, those of one or two letters at the beginning of a word. Signs are ignored. The
 * most recently changed collection comes first.
 */
export async function searchCollections(
  ctx: Context,
  viewer: MaybeViewer,
  { q, limit, offset }: OffsetPage & { q: string },
): Promise<string[]> {
  const words = normaliseUnicode(q).toLowerCase().split(/\s+/).filter(isIndexed).slice(0, MAX_WORDS)
  if (words.length === 0) return []
  const statement = sql`
    select c.id from collections c join accounts a on a.id = c.account_id
    where c.discoverable and ${isCollectionShown(viewer)}
      and ${allOf(words.map((word) => findsWord(word, sql`lower(c.name)`)))}
    order by c.updated_at desc, c.id desc limit ${limit}::int offset ${offset}::int`
  const rows = await ctx.db.many<{ id: string }>(words.some(hasTrigrams) ? statement : plannedByValue(statement))
  return rows.map(({ id }) => id)
}

/** The caller checks whether the viewer may see the collection. */
export async function findCollectionByUrl(ctx: Context, address: string): Promise<string | null> {
  const id = parseCollectionUrl(ctx, address)
  const row = await ctx.db.maybe<{ id: string }>(
    id === null
      ? sql`select id from collections where uri = ${address}`
      : sql`select id from collections where id = ${id}`,
  )
  return row?.id ?? null
}
