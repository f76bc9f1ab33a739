import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, ordered, within } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'
import { originalVisibleTo, visibleTo } from '../statuses/visibility.ts'
import { FEED_LENGTH, ensureHome } from './home-build.ts'
import { candidateColumns, reachesDespiteLimit } from './home-rules.ts'

/** Entries that are read at most to fill a page: a feed may grow to twice its length. */
const READ_CAP = 2 * FEED_LENGTH

/**
 * Statement: the ids of a page. Leaves out statuses that were deleted or hidden after the fan-out. The lateral join with a
 * limit checks entries one by one until the page is full, and keeps PostgreSQL from sorting whole feeds. Returns no rows if the
 * feed does not exist, or was not read for an hour: `refreshHome` handles that.
 */
export function homePage(accountId: string, page: Pagination): Sql {
  return sql`
    select hf.status_id from (
      select status_id from home_feed where account_id = ${accountId} and ${within(sql`status_id`, page)} ${ordered(sql`status_id`, { ...page, limit: READ_CAP })}
    ) hf cross join lateral (
      select from statuses s join accounts a on a.id = s.account_id
      left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
      where s.id = hf.status_id and ${visibleTo({ accountId })} and ${notHiddenInTimelines(accountId, 'a')} and ${isNotReservedForList(accountId)}
        and (s.reblog_of_id is null or (${originalVisibleTo({ accountId })} and ${notHiddenInTimelines(accountId, 'oa')}
          and ${reachesDespiteLimit(candidateColumns.limited, sql`${accountId}::bigint`)}))
      limit 1
    ) shown
    where exists (select from home_feeds h where h.account_id = ${accountId} and h.built_at is not null and h.read_at >= now() - interval '1 hour')
    ${ordered(sql`hf.status_id`, page)}`
}

/**
 * Decides what an empty page of a home timeline means. `ready`: the timeline is empty. `renewed`: the feed was missing or
 * unread, and the page should be read again. `building`: another request is building the feed.
 */
export async function refreshHome(ctx: Context, accountId: string): Promise<'ready' | 'renewed' | 'building'> {
  const feed = await ctx.db.maybe<{ built: boolean; stale: boolean }>(sql`
    select built_at is not null as built, read_at < now() - interval '1 hour' as stale from home_feeds where account_id = ${accountId}`)
  if (!feed?.built) return (await ensureHome(ctx, accountId, { wait: false })) ? 'renewed' : 'building'
  if (!feed.stale) return 'ready'
  await noteRead(ctx, accountId)
  return 'renewed'
}

/** A condition on a status `s`: the feed may not have been rebuilt since an exclusive list changed. */
const isNotReservedForList = (me: string): Sql =>
  sql`(s.account_id = ${me} or s.account_id not in (select account_id from list_accounts where owner_id = ${me} and exclusive))`

/** Keeps the clean-up from dropping the feed, and cuts the feed to its length. */
async function noteRead(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.run(sql`
    with read as (update home_feeds set read_at = now() where account_id = ${accountId})
    delete from home_feed where account_id = ${accountId} and status_id <= (
      select status_id from home_feed where account_id = ${accountId} order by status_id desc offset ${FEED_LENGTH} limit 1)`)
}

/** Statuses that the account wrote, and those that mention it. */
export async function readDirect(ctx: Context, accountId: string, page: Pagination): Promise<string[]> {
  const mayAppear = sql`${visibleTo({ accountId })} and ${notHiddenInTimelines(accountId, 'a')}`
  const rows = await ctx.db.many<{ id: string }>(sql`
    select direct.id from (
      (select s.id from statuses s
        where s.account_id = ${accountId} and s.visibility = 'direct' and ${within(sql`s.id`, page)} ${ordered(sql`s.id`, page)})
      union
      (select s.id from mentions m join statuses s on s.id = m.status_id join accounts a on a.id = s.account_id
        where m.account_id = ${accountId} and s.visibility = 'direct' and ${mayAppear} and ${within(sql`m.status_id`, page)}
        ${ordered(sql`m.status_id`, page)})
    ) direct ${ordered(sql`direct.id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}
