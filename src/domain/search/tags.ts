import type { Context } from '../../context.ts'
import { plannedByValue, sql } from '../../db/sql.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import { escapeLike } from '../accounts/search.ts'

export type TagSearch = {
  q: string
  limit: number
  offset?: number
  /** Tags that nobody reviewed stay away, but for the one that is named exactly. Reviewing is yet to come, so no other is left. */
  excludeUnreviewed?: boolean
}

/** How alike spellings must be (1: the same). */
const LIKENESS = 0.5

/** So many hashtags that match, those used last, are ranked; and so many uses of each are counted. */
const MAX_CANDIDATES = 200
const MAX_USES = 1000

/**
 * The ids of hashtags: the one named, those that begin so, and those written much like it; each kind by how often it was used,
 * then by name.
 */
export async function searchTags(
  ctx: Context,
  { q, limit, offset = 0, excludeUnreviewed = false }: TagSearch,
): Promise<string[]> {
  const name = normaliseTag(q)
  if (name === '') return []
  const similar = sql`(name like ${`${escapeLike(name)}%`} or (name % ${name} and similarity(name, ${name}) >= ${LIKENESS}))`
  const rows = await ctx.db.many<{ id: string }>(
    plannedByValue(sql`
    select t.id from (
      select id, name, name = ${name} as exact, name like ${`${escapeLike(name)}%`} as begins
      from tags where ${excludeUnreviewed ? sql`name = ${name}` : similar}
      order by exact desc, begins desc, last_status_at desc nulls last, similarity(name, ${name}) desc, id limit ${MAX_CANDIDATES}::int
    ) t cross join lateral (
      select count(*) as uses from (select from status_tags st where st.tag_id = t.id limit ${MAX_USES}::int) counted
    ) u
    order by t.exact desc, t.begins desc, u.uses desc, t.name
    limit ${limit} offset ${offset}`),
  )
  return rows.map(({ id }) => id)
}
