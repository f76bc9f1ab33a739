import { normaliseUnicode } from '../../lib/text/normalise.ts'
import type { Context } from '../../context.ts'
import { allOf, sql } from '../../db/sql.ts'
import { escapeLike } from '../accounts/search.ts'
import { isCollectionShown } from '../collections/visible.ts'
import { parseCollectionUrl } from '../server/addresses.ts'
import type { MaybeViewer } from '../statuses/visibility.ts'

/** Further words of a query are ignored. */
const MAX_WORDS = 8

/** The ids of discoverable collections whose names contain every word of the query, the most recently changed first. */
export async function searchCollections(
  ctx: Context,
  viewer: MaybeViewer,
  { q, limit, offset }: { q: string; limit: number; offset: number },
): Promise<string[]> {
  const words = normaliseUnicode(q).toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  if (words.length === 0) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    select c.id from collections c join accounts a on a.id = c.account_id
    where c.discoverable and ${isCollectionShown(viewer)}
      and ${allOf(words.map((word) => sql`lower(c.name) like ${`%${escapeLike(word)}%`}`))}
    order by c.updated_at desc, c.id desc limit ${limit}::int offset ${offset}::int`)
  return rows.map(({ id }) => id)
}

/** The id of the collection of this server at an address, or null. Whether the viewer may see it is for the caller to check. */
export async function findCollectionByUrl(ctx: Context, address: string): Promise<string | null> {
  const id = parseCollectionUrl(ctx, address)
  const row = id === null ? null : await ctx.db.maybe<{ id: string }>(sql`select id from collections where id = ${id}`)
  return row?.id ?? null
}
