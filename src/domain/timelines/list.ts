import type { HomeFeed, Lists } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { type Pagination, continuedAfter, newestFirst, ordered, within } from '../../db/page.ts'
import { type Sql, count, sql } from '../../db/sql.ts'
import { LAST_ID } from '../../lib/ids.ts'
import { originalVisibleTo, visibleTo } from '../statuses/visibility.ts'
import { REPEAT_WINDOW, belongsInFeed, candidateColumns } from './home-rules.ts'

type List = Pick<Lists, 'id' | 'account_id'>
type Entry = Pick<HomeFeed, 'status_id' | 'original_id'>
/** `rest`: the page to continue with, null at the end of the list. */
type Found = { shown: Entry[]; rest: Pagination | null }
/** `last`: the last id that a statement read, null at the end of the list. */
type Batch = { shown: Entry[]; last: string | null }

/**
 * Statuses that the statements of one reading look at. The first one is nearly always enough. Later ones look far, as an account
 * may write thousands of replies that the list leaves out. A page is short when these find too little.
 */
const STATUSES_PER_READ = [160, 800, 4000, 4000]
/** How often a page is read on, as boosts were left out. */
const MAX_READS = 6

/**
 * Ids of statuses and boosts, as the list's owner may see them. Lists have no feed of their own: statuses are found by their
 * authors, so every change takes effect at once.
 */
export async function readList(ctx: Context, list: List, page: Pagination): Promise<string[]> {
  const first = await read(ctx, list, page, page.limit)
  const entries = newestFirst(first.shown, page)
  const oldest = entries.at(-1)
  if (!oldest || !entries.some(isReblog)) return entries.map(({ status_id }) => status_id)
  // A boost may repeat an entry of an older page, so older entries are read as well.
  const down = page.minId === null
  const below = { ...page, maxId: (down && first.rest?.maxId) || oldest.status_id, sinceId: null, minId: null }
  const wanted = REPEAT_WINDOW + entries.filter(isReblog).length
  const older = await read(ctx, list, below, wanted)
  entries.push(...older.shown)
  const after = BigInt(page.minId ?? page.sinceId ?? 0)
  let rest = down ? restAfter(older, wanted) : restAfter(first, page.limit)
  for (let reads = 2; ; reads++) {
    const further = reads < MAX_READS ? rest : null
    // Which of the oldest entries are repeats is open while there are older ones.
    const known = down && further ? entries.slice(0, -REPEAT_WINDOW) : entries
    const ids = known
      .filter((entry, i) => BigInt(entry.status_id) > after && !repeatsOneOf(entry, entries, i + 1))
      .map(({ status_id }) => status_id)
    const reachesEnd = down && known.some(({ status_id }) => BigInt(status_id) <= after)
    if (!further || reachesEnd || ids.length >= page.limit)
      return down ? ids.slice(0, page.limit) : ids.slice(-page.limit)
    const next = await read(ctx, list, further, REPEAT_WINDOW)
    if (down) entries.push(...next.shown)
    else entries.unshift(...newestFirst(next.shown, page))
    rest = restAfter(next, REPEAT_WINDOW)
  }
}

/** None after a reading that found too little: another one would take as long. */
const restAfter = ({ shown, rest }: Found, wanted: number): Pagination | null => (shown.length < wanted ? null : rest)

/**
 * Whether a boost is of a status that the REPEAT_WINDOW entries from `start` on have, shown or not: so pages of any size leave out
 * the same boosts.
 */
const repeatsOneOf = (entry: Entry, entries: readonly Entry[], start: number): boolean =>
  isReblog(entry) &&
  entries.slice(start, start + REPEAT_WINDOW).some(({ original_id }) => original_id === entry.original_id)

/** Whether a list leaves out a boost because it repeats the post of an older entry. */
export async function isRepeat(ctx: Context, list: List, reblogId: string): Promise<boolean> {
  const id = BigInt(reblogId)
  const only = { limit: 1, maxId: String(id + 1n), sinceId: String(id - 1n), minId: null }
  return (await readList(ctx, list, only)).length === 0
}

const isReblog = ({ status_id, original_id }: Entry): boolean => status_id !== original_id

/** Reads in the direction of the page. */
async function read(ctx: Context, list: List, page: Pagination, wanted: number): Promise<Found> {
  const shown: Entry[] = []
  let at: Pagination | null = page
  for (const limit of STATUSES_PER_READ) {
    if (!at || shown.length >= wanted) break
    const batch: Batch = await readBatch(ctx, list, { ...at, limit }, wanted - shown.length)
    shown.push(...batch.shown)
    at = batch.last === null ? null : continuedAfter(page, batch.last)
  }
  const last = shown.at(-1)
  return { shown, rest: shown.length >= wanted && last ? continuedAfter(page, last.status_id) : at }
}

/**
 * Reads the statuses next to the cursor, in the direction of the page, and returns up to `wanted` that are shown. Reading a page
 * of each member would be slow in long lists, so a first read of a few of each finds the furthest id worth reading. The rules are
 * applied only until there are enough entries.
 */
async function readBatch(ctx: Context, list: List, page: Pagination, wanted: number): Promise<Batch> {
  const viewer = { accountId: list.account_id }
  const down = page.minId === null
  const order = (id: Sql): Sql => (down ? sql`order by ${id} desc` : sql`order by ${id}`)
  const found = await ctx.db.one<{ seen: number; last: string | null; ids: string[]; original_ids: string[] }>(sql`
    with m as materialized (
      select la.account_id from lists l join list_accounts la on la.list_id = l.id where l.id = ${list.id} and ${isFollowedByOwner}
    ), cutoff as materialized (
      select first_look.id from m cross join lateral (
        select s.id from statuses s where s.account_id = m.account_id and ${within(sql`s.id`, page)}
        ${order(sql`s.id`)} limit (select greatest(5, ${2 * page.limit}::int / greatest(count(*), 1)) from m)
      ) first_look ${order(sql`first_look.id`)} offset ${count(page.limit)} - 1 limit 1
    ), newest as materialized (
      select s.id from m cross join lateral (
        select s.id from statuses s where s.account_id = m.account_id and ${within(sql`s.id`, page)}
          and ${down ? sql`s.id >= coalesce((select id from cutoff), 0)` : sql`s.id <= coalesce((select id from cutoff), ${LAST_ID})`}
        ${ordered(sql`s.id`, page)}
      ) s ${ordered(sql`s.id`, page)}
    ), shown as (
      select newest.id, post.original_id from newest cross join lateral (
        select coalesce(s.reblog_of_id, s.id) as original_id from statuses s
        join lists l on l.id = ${list.id} ${joinsInList}
        where s.id = newest.id and ${visibleTo(viewer)} and ${originalVisibleTo(viewer)} and ${belongsInList}
        limit 1
      ) post ${order(sql`newest.id`)} limit ${wanted}
    )
    select (select count(*)::int from newest) as seen, (select ${down ? sql`min` : sql`max`}(id) from newest) as last,
      coalesce(array_agg(id ${order(sql`id`)}), '{}') as ids, coalesce(array_agg(original_id ${order(sql`id`)}), '{}') as original_ids from shown`)
  const shown = found.ids.map((status_id, i) => ({ status_id, original_id: found.original_ids[i] as string }))
  return { shown, last: found.seen < page.limit ? null : found.last }
}

/** A condition on the member `la` of list `l`: the owner follows it or is it. Follow requests may be pending. */
const isFollowedByOwner: Sql = sql`(la.account_id = l.account_id
  or exists (select from follows mf where mf.account_id = l.account_id and mf.target_account_id = la.account_id))`

/**
 * For `belongsInList`: the author `a` of a status `s`, the follow `f` of the author by the owner of the list `l`, and the
 * original `o` of a boost, by `oa`. Owners do not follow themselves.
 */
export const joinsInList: Sql = sql`
  join accounts a on a.id = s.account_id
  left join follows f on f.account_id = l.account_id and f.target_account_id = s.account_id
  left join statuses o on o.id = s.reblog_of_id
  left join accounts oa on oa.id = o.account_id`

/** A condition on a status `s`, with `joinsInList`, in a list `l` that has its author as a member. */
export const belongsInList: Sql = sql`(oa.suspended_at is null and (s.account_id = l.account_id or (${belongsInFeed(candidateColumns)}
  and (not s.reply or s.in_reply_to_account_id = s.account_id or s.in_reply_to_account_id = l.account_id
    or case l.replies_policy
      when 'followed' then true
      when 'list' then exists (select from list_accounts rm where rm.list_id = l.id and rm.account_id = s.in_reply_to_account_id)
      else false
    end))))`
