import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { FEED_LENGTH } from './home-build.ts'

/** Drops the feeds that nobody read for thirty days: nothing is written to them any more, and the next read builds them again. */
export async function dropUnreadFeeds(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    with unread as (delete from home_feeds where read_at < now() - interval '30 days' returning account_id)
    delete from home_feed using unread where home_feed.account_id = unread.account_id`)
}

/** Cuts feeds that have grown to twice their length. Those that are read are cut then; this is for the others. */
export async function trimFeeds(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    delete from home_feed hf using (
      select long.account_id, (
        select status_id from home_feed x where x.account_id = long.account_id order by status_id desc offset ${FEED_LENGTH} limit 1) as cut
      from (select account_id from home_feed group by account_id having count(*) > ${2 * FEED_LENGTH}) long
    ) cuts
    where hf.account_id = cuts.account_id and hf.status_id <= cuts.cut`)
}
