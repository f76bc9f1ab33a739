import type { Context } from '../../context.ts'
import { type Pagination, ordered, within } from '../../db/page.ts'
import { type Sql, count, sql } from '../../db/sql.ts'
import { originalVisibleTo, visibleTo } from '../statuses/visibility.ts'
import { REPEAT_WINDOW, belongsInFeed, candidateColumns, withoutRepeats } from './home-rules.ts'

type List = { id: string; account_id: string }
type Entry = { status_id: string; original_id: string }
/** What a look found, and how far it went: `last` is null when there is nothing further. */
type Look = { shown: Entry[]; last: string | null }

/** How many posts of members one statement looks at. */
const LOOKED_AT = 160
/** So many times at most; a page may come out short where nearly all is left out. */
const LOOKS = 6

/**
 * The ids of a page of what the members of a list post and boost, as its owner may see it. Nothing is kept for lists: the
 * posts are found through their authors, so that whatever changes acts at once.
 */
export async function readList(ctx: Context, list: List, page: Pagination): Promise<string[]> {
  const { shown, rest } = await read(ctx, list, page, page.limit)
  const isBoost = ({ status_id, original_id }: Entry): boolean => status_id !== original_id
  if (!shown.some(isBoost)) return inOrder(shown, page)
  // Whether a boost repeats what stands just before it shows only further back.
  if (page.minId !== null) return inOrder(withoutRepeats(shown), page)
  const before = rest ? (await read(ctx, list, rest, REPEAT_WINDOW)).shown : []
  return withoutRepeats([...shown, ...before].toReversed())
    .toReversed()
    .slice(0, page.limit)
    .map(({ status_id }) => status_id)
}

const inOrder = (entries: readonly Entry[], page: Pagination): string[] => {
  const ids = entries.map(({ status_id }) => status_id)
  return page.minId === null ? ids : ids.toReversed()
}

/** The next `wanted` entries from the cursor on, in the direction of the page; `rest` is where to go on, if there is more. */
async function read(
  ctx: Context,
  list: List,
  page: Pagination,
  wanted: number,
): Promise<{ shown: Entry[]; rest: Pagination | null }> {
  const shown: Entry[] = []
  const after = (id: string): Pagination => (page.minId === null ? { ...page, maxId: id } : { ...page, minId: id })
  let at: Pagination | null = page
  for (let looks = 0; at && shown.length < wanted && looks < LOOKS; looks++) {
    const look: Look = await lookAt(ctx, list, { ...at, limit: LOOKED_AT }, wanted - shown.length)
    shown.push(...look.shown)
    at = look.last === null ? null : after(look.last)
  }
  const last = shown.at(-1)
  return { shown, rest: shown.length >= wanted && last ? after(last.status_id) : at }
}

/**
 * The posts of a list's members next to the cursor, in the direction of the page, of which up to `wanted` that are shown are
 * given. Reading as many of every member would be slow in long lists, so a first look at few of each finds how far it is
 * worth to go. The rules are only asked until there are enough.
 */
async function lookAt(ctx: Context, list: List, page: Pagination, wanted: number): Promise<Look> {
  const viewer = { accountId: list.account_id }
  const down = page.minId === null
  const order = (id: Sql): Sql => (down ? sql`order by ${id} desc` : sql`order by ${id}`)
  const found = await ctx.db.one<{ seen: number; last: string | null; ids: string[]; original_ids: string[] }>(sql`
    with m as materialized (
      select la.account_id from lists l join list_accounts la on la.list_id = l.id where l.id = ${list.id} and ${isFollowedByOwner}
    ), cutoff as materialized (
      select first_look.id from m cross join lateral (
        select s.id from statuses s where s.account_id = m.account_id and ${within(sql`s.id`, page)}
        ${order(sql`s.id`)} limit (select greatest(5, ${2 * LOOKED_AT}::int / greatest(count(*), 1)) from m)
      ) first_look ${order(sql`first_look.id`)} offset ${count(LOOKED_AT)} - 1 limit 1
    ), newest as materialized (
      select s.id from m cross join lateral (
        select s.id from statuses s where s.account_id = m.account_id and ${within(sql`s.id`, page)}
          and ${down ? sql`s.id >= coalesce((select id from cutoff), 0)` : sql`s.id <= coalesce((select id from cutoff), 9223372036854775807)`}
        ${ordered(sql`s.id`, page)}
      ) s ${ordered(sql`s.id`, page)}
    ), shown as (
      select newest.id, post.original_id from newest cross join lateral (
        select coalesce(s.reblog_of_id, s.id) as original_id from statuses s
        join lists l on l.id = ${list.id}
        join accounts a on a.id = s.account_id
        left join follows f on f.account_id = l.account_id and f.target_account_id = s.account_id
        left join statuses o on o.id = s.reblog_of_id
        left join accounts oa on oa.id = o.account_id
        where s.id = newest.id and ${visibleTo(viewer)} and ${originalVisibleTo(viewer)} and ${belongsInList}
        limit 1
      ) post ${order(sql`newest.id`)} limit ${wanted}
    )
    select (select count(*)::int from newest) as seen, (select ${down ? sql`min` : sql`max`}(id) from newest) as last,
      coalesce(array_agg(id ${order(sql`id`)}), '{}') as ids, coalesce(array_agg(original_id ${order(sql`id`)}), '{}') as original_ids from shown`)
  const shown = found.ids.map((status_id, i) => ({ status_id, original_id: found.original_ids[i] as string }))
  return { shown, last: found.seen < LOOKED_AT ? null : found.last }
}

/** Of those who are in a list `l`, whom its owner follows by now, or is: others are only asked yet. `la` is the membership. */
const isFollowedByOwner: Sql = sql`(la.account_id = l.account_id
  or exists (select from follows mf where mf.account_id = l.account_id and mf.target_account_id = la.account_id))`

/**
 * Whether a post `s` of `a`, which may boost `o` of `oa`, is shown in a list `l` whose members its author is one of. `f` is the
 * follow of the author by the owner, left joined: there is none of oneself.
 */
export const belongsInList: Sql = sql`(oa.suspended_at is null and (s.account_id = l.account_id or (${belongsInFeed(candidateColumns)}
  and (not s.reply or s.in_reply_to_account_id = s.account_id or s.in_reply_to_account_id = l.account_id
    or case l.replies_policy
      when 'followed' then true
      when 'list' then exists (select from list_accounts rm where rm.list_id = l.id and rm.account_id = s.in_reply_to_account_id)
      else false
    end))))`
