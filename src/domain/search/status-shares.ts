import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { idAt } from '../../lib/ids.ts'

/** How many posts a share has, more or less: what a search for a common word looks through at a time. */
const SIZE = 8192

/** A little ahead: what is being posted at this moment may still go by the shares as they are. Milliseconds. */
const AHEAD = 60_000

/** Begins a new share of posts when the newest one is full. Run now and then. */
export async function divideShares(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    insert into search_shares (lower_id) select ${idAt(new Date(Date.now() + AHEAD))}::bigint
    where (select count(*) from (
      select from status_search where keeper_id is null and status_id >= (select max(lower_id) from search_shares) limit ${SIZE}
    ) newest) >= ${SIZE}
    on conflict do nothing`)
}
