import { LAST_ID } from '../../lib/ids.ts'
import { type Context, perServer } from '../../context.ts'
import { type Pagination, newestFirst, onPage, ordered } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'
import { readShown, StatusReader } from '../statuses/reader.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { batched } from '../../lib/batch.ts'
import { FEED_LENGTH, ensureHome, hasNoStatus } from './home-build.ts'
import { addToPage, findRecipients, findRunningFanOuts } from './running-fan-outs.ts'

/**
 * The ids of a page, newest first. Leaves out statuses that were deleted or hidden after the fan-out. Returns none if the feed
 * does not exist, or was not read for an hour: `refreshHome` handles that.
 */
export function readHome(ctx: Context, accountId: string, page: Pagination): Promise<string[]> {
  return readShown(page, {
    read: (part) => feeds(ctx)({ accountId, ...part }),
    filter: async (found) => {
      const reader = await StatusReader.load(ctx, { accountId }, found)
      return found.filter((id) => isShownAtHome(reader, accountId, id))
    },
    cursor: (id) => id,
  })
}

type FeedPage = { accountId: string } & Pagination

/** Simultaneous requests share a statement, which costs little more than one page. */
const feeds = perServer((ctx) => batched<FeedPage, string[]>((pages) => readFeeds(ctx, pages), MAX_FEEDS))

/** Pages of feeds that one statement reads at most. */
const MAX_FEEDS = 40
const FIRST_ID = '0'

/** In the direction of each page. */
async function readFeeds(ctx: Context, pages: readonly FeedPage[]): Promise<string[][]> {
  const running = await findRunningFanOuts(ctx)
  const accountIds = pages.map(({ accountId }) => accountId)
  const [stored, added] = await Promise.all([
    readStored(ctx, pages),
    running.length === 0 ? [] : findRecipients(ctx, running, accountIds),
  ])
  if (added.length === 0) return stored.map((ids) => ids ?? [])
  const addedTo = Map.groupBy(added, ({ account_id }) => account_id)
  return pages.map((page, i) => {
    const ids = (addedTo.get(page.accountId) ?? []).map(({ status_id }) => status_id)
    const found = stored[i]
    return found ? addToPage(found, ids, page) : []
  })
}

/** Whether a feed was read lately: an older one is cut to its length first. */
const isCurrent = sql`read_at >= now() - interval '1 hour'`

/** Null where there is no such feed. */
async function readStored(ctx: Context, pages: readonly FeedPage[]): Promise<(string[] | null)[]> {
  const of = <T>(value: (page: FeedPage) => T): T[] => pages.map(value)
  const entries = sql`select hf.status_id from home_feed hf
    where hf.account_id = page.account_id and hf.status_id < page.below and hf.status_id > page.above`
  const rows = await ctx.db.many<{ ids: string | null }>(sql`
    select case when exists (select from home_feeds h
        where h.account_id = page.account_id and h.built_at is not null and ${isCurrent})
      then case when page.upwards
        then array_to_string(array(${entries} order by hf.status_id limit page.size), ' ')
        else array_to_string(array(${entries} order by hf.status_id desc limit page.size), ' ')
      end end as ids
    from unnest(${of(({ accountId }) => accountId)}::bigint[], ${of(({ maxId }) => maxId ?? LAST_ID)}::bigint[],
      ${of(({ minId, sinceId }) => minId ?? sinceId ?? FIRST_ID)}::bigint[], ${of(({ minId }) => minId !== null)}::boolean[],
      ${of(({ limit }) => limit)}::int[]) with ordinality page (account_id, below, above, upwards, size, position)
    order by page.position`)
  return rows.map(({ ids }) => ids?.split(' ').filter(Boolean) ?? null)
}

function isShownAtHome(reader: StatusReader, accountId: string, id: string): boolean {
  const status = reader.status(id)
  if (!status || reader.hides(status.account_id)) return false
  // A followed hashtag may have brought it before its author was limited.
  if (reader.isLimitedFor(status.account_id)) return false
  // The feed may not have been rebuilt since an exclusive list changed.
  if (status.account_id !== accountId && reader.relationship(status.account_id).in_exclusive_list) return false
  return reader.seesWithOriginal(
    status,
    ({ account_id }) => !reader.hides(account_id) && !reader.isLimitedFor(account_id),
  )
}

/**
 * Decides what an empty page of a home timeline means. `ready`: the timeline is empty. `renewed`: the feed was missing or
 * unread, and the page should be read again. `building`: another request is building the feed.
 */
export async function refreshHome(ctx: Context, accountId: string): Promise<'ready' | 'renewed' | 'building'> {
  const feed = await ctx.db.maybe<{ built: boolean; current: boolean }>(sql`
    select built_at is not null as built, ${isCurrent} as current from home_feeds where account_id = ${accountId}`)
  if (!feed?.built) return (await ensureHome(ctx, accountId, { wait: false })) ? 'renewed' : 'building'
  if (feed.current) return 'ready'
  await recordReadAndTrim(ctx, accountId)
  return 'renewed'
}

/**
 * Keeps the clean-up from dropping the feed, and cuts the feed to its length. Removes deleted statuses that their deletion did
 * not find in the feed, such as those that had lost the followed hashtag.
 */
async function recordReadAndTrim(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.run(sql`
    with read as (update home_feeds set read_at = now() where account_id = ${accountId})
    delete from home_feed e where e.account_id = ${accountId} and (
      e.status_id <= (
        select status_id from home_feed where account_id = ${accountId} order by status_id desc offset ${FEED_LENGTH} limit 1)
      or ${hasNoStatus})`)
}

/** Statuses that the account wrote, and those that mention it. */
export async function readDirect(ctx: Context, accountId: string, page: Pagination): Promise<string[]> {
  const mayAppear = sql`${visibleTo({ accountId })} and ${notHiddenInTimelines(accountId)}`
  const rows = await ctx.db.many<{ id: string }>(sql`
    select direct.id from (
      (select s.id from statuses s
        where s.account_id = ${accountId} and s.visibility = 'direct' and ${onPage(sql`s.id`, page)})
      union
      (select s.id from mentions m join statuses s on s.id = m.status_id join accounts a on a.id = s.account_id
        where m.account_id = ${accountId} and s.visibility = 'direct' and ${mayAppear} and ${onPage(sql`m.status_id`, page)})
    ) direct ${ordered(sql`direct.id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}
