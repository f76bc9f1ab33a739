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

/** The ids of hashtags: the one named, those that begin so, and those written much like it; used lately first. */
export async function searchTags(
  ctx: Context,
  { q, limit, offset = 0, excludeUnreviewed = false }: TagSearch,
): Promise<string[]> {
  const name = normaliseTag(q)
  if (name === '') return []
  const similar = sql`(name like ${`${escapeLike(name)}%`} or (name % ${name} and similarity(name, ${name}) >= ${LIKENESS}))`
  const rows = await ctx.db.many<{ id: string }>(
    plannedByValue(sql`
    select id from tags where ${excludeUnreviewed ? sql`name = ${name}` : similar}
    order by name = ${name} desc, name like ${`${escapeLike(name)}%`} desc, last_status_at desc nulls last, similarity(name, ${name}) desc, id
    limit ${limit} offset ${offset}`),
  )
  return rows.map(({ id }) => id)
}
