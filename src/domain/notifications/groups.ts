import type { Context } from '../../context.ts'
import { type Pagination, continuedAfter, newestFirst, onPage } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { compareIds, isId, LAST_ID } from '../../lib/ids.ts'
import {
  findNotification,
  isChosen,
  loadNotifications,
  type NotificationFilter,
  type NotificationRow,
  readSome,
  type Recipient,
  shown,
  shownAlike,
} from './list.ts'
import type { NotificationType } from './types.ts'

const SAMPLES = 8

export type GroupRow = {
  group_key: string
  type: NotificationType
  notifications_count: number
  most_recent_notification_id: string
  /** Newest first. */
  sample_account_ids: string[]
  status_id: string | null
  subject_id: string | null
}

export type PagedGroupRow = GroupRow & { page_min_id: string; page_max_id: string; latest_page_notification_at: Date }

/** SQL: whether notifications `n` are grouped, and their group keys. */
type Grouping = { isGrouped: Sql; key: Sql }

function groupingBy(types: readonly string[]): Grouping {
  const isGrouped = sql`(n.group_key is not null and n.type = any(${types}::text[]))`
  return { isGrouped, key: sql`case when ${isGrouped} then n.group_key else 'ungrouped-' || n.id end` }
}

/** Notifications that the first read has beyond a page, as some of them share groups; and those of each further read. */
const SPARE = 20
const FURTHER = 400
const MAX_ID = BigInt(LAST_ID)

/** Types other than `groupedTypes` are not grouped. */
export type GroupQuery = { me: Recipient; filter: NotificationFilter; groupedTypes: readonly string[] }

/** Newest first. The next page may contain older notifications of the same groups. */
export async function listGroups(ctx: Context, query: GroupQuery, page: Pagination): Promise<PagedGroupRow[]> {
  const entries = await findGroups(ctx, query, page)
  const keys = entries.flatMap(({ key }) => key ?? [])
  const members = await readMembers(ctx, query, keys, boundsOf(entries, page))
  const newest = new Map(
    await loadNotifications(
      ctx,
      [...members.values()].map((each) => each.newest),
      query.filter,
    ),
  )
  const rows = entries.map(({ key, row }) => {
    const group = key === null ? undefined : members.get(key)
    const latest = (group && newest.get(group.newest)) ?? row
    return {
      ...groupOf(key ?? `ungrouped-${row.id}`, latest, group),
      page_min_id: group?.page_min_id ?? latest.id,
      page_max_id: latest.id,
      latest_page_notification_at: latest.created_at,
    }
  })
  return rows.toSorted((one, other) => compareIds(other.most_recent_notification_id, one.most_recent_notification_id))
}

/** Without `members`, the notification is the only one. */
const groupOf = (
  group_key: string,
  { id, type, status_id, subject_id, from_account_id }: NotificationRow,
  members?: Members,
): GroupRow => ({
  group_key,
  type,
  notifications_count: members?.count ?? 1,
  most_recent_notification_id: id,
  sample_account_ids: members?.samples ?? [from_account_id],
  status_id,
  subject_id,
})

/** A group of a page, by its first notification in the direction of the page. `key`: null for one that is not grouped. */
type GroupEntry = { key: string | null; row: NotificationRow }

/** Reads on, past notifications of groups that it has, until the page is full or nothing is left. */
async function findGroups(ctx: Context, query: GroupQuery, page: Pagination): Promise<GroupEntry[]> {
  const entries: GroupEntry[] = []
  if (page.limit === 0) return entries
  const met = new Set<string>()
  const { groupedTypes } = query
  const { isGrouped } = groupingBy(groupedTypes)
  let part = { ...page, limit: page.limit + SPARE }
  for (;;) {
    const isNew = met.size === 0 ? sql`true` : sql`(not ${isGrouped} or n.group_key <> all(${[...met]}::text[]))`
    const { rows, last } = await readSome(ctx, query, part, isNew)
    for (const row of rows) {
      const key = groupedTypes.includes(row.type) ? row.group_key : null
      if (key !== null && met.has(key)) continue
      if (key !== null) met.add(key)
      entries.push({ key, row })
      if (entries.length === page.limit) return entries
    }
    if (last === null) return entries
    part = continuedAfter({ ...page, limit: FURTHER }, last)
  }
}

type Bounds = { low: bigint; top: bigint }

/** The ids of a page. One that is not full reaches to the end: it includes all further members of its groups. */
function boundsOf(entries: readonly GroupEntry[], { limit, minId, maxId, sinceId }: Pagination): Bounds {
  const ids = entries.map(({ row }) => BigInt(row.id)).toSorted((one, other) => (one < other ? -1 : 1))
  const [low = 0n, top = MAX_ID] = [ids.at(0), ids.at(-1)]
  if (entries.length === limit) return { low, top }
  return minId === null
    ? { low: sinceId === null ? 0n : BigInt(sinceId) + 1n, top }
    : { low, top: maxId === null ? MAX_ID : BigInt(maxId) - 1n }
}

type Members = { count: number; newest: string; page_min_id: string | null; samples: string[] }

/** By group key: all members up to the page. Groups that were deleted meanwhile have no entry. */
async function readMembers(
  ctx: Context,
  { me, filter }: GroupQuery,
  keys: readonly string[],
  { low, top }: Bounds,
): Promise<Map<string, Members>> {
  if (keys.length === 0) return new Map()
  const rows = await ctx.db.many<Members & { group_key: string }>(sql`
    select w.group_key, m.* from unnest(${keys}::text[]) w (group_key) cross join lateral (
      select count(*)::int, max(n.id) as newest, min(n.id) filter (where n.id >= ${String(low)}) as page_min_id,
        (array_agg(n.from_account_id::text order by n.id desc))[:${SAMPLES}::int] as samples
      ${shownAlike(me, filter)} and n.group_key = w.group_key and n.id <= ${String(top)}
    ) m where m.count > 0`)
  return new Map(rows.map(({ group_key, ...members }) => [group_key, members]))
}

/** Throws NotFound. */
export async function getGroup(ctx: Context, me: Recipient, groupKey: string): Promise<GroupRow> {
  const single = singleOf(groupKey)
  if (single !== null) {
    const row = await findNotification(ctx, me, single)
    if (!row) throw new NotFound()
    return groupOf(groupKey, row)
  }
  const group = await ctx.db.maybe<GroupRow>(sql`
    select n.group_key, n.type, n.status_id, n.subject_id, g.count as notifications_count, n.id as most_recent_notification_id, g.samples as sample_account_ids
    from (
      select count(*)::int, max(n.id) as newest, (array_agg(n.from_account_id::text order by n.id desc))[:${SAMPLES}::int] as samples
      ${shown(me, {})} and n.group_key = ${groupKey}
    ) g join notifications n on n.id = g.newest`)
  if (!group) throw new NotFound()
  return group
}

/** Throws NotFound. */
export async function listGroupAccounts(
  ctx: Context,
  me: Recipient,
  groupKey: string,
  page: Pagination,
): Promise<{ id: string; from_account_id: string }[]> {
  const members = membersOf(groupKey)
  const rows = await ctx.db.many<{ id: string; from_account_id: string }>(sql`
    select n.id, n.from_account_id ${shown(me, { include_filtered: true })} and ${members} and ${onPage(sql`n.id`, page)}`)
  if (rows.length === 0) await getGroup(ctx, me, groupKey)
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function dismissGroup(ctx: Context, accountId: string, groupKey: string): Promise<void> {
  const gone = await ctx.db.run(
    sql`delete from notifications n where n.account_id = ${accountId} and ${membersOf(groupKey)}`,
  )
  if (gone === 0) throw new NotFound()
}

/** Unread notifications that are read for each group that is counted. */
const READ_PER_GROUP = 20

/** At most `limit`. */
export async function countUnreadGroups(
  ctx: Context,
  { me, filter, groupedTypes }: GroupQuery,
  limit: number,
): Promise<number> {
  const unread = { ...filter, unread: true }
  // Groups have many members, of which nearly always the first may be shown.
  const { count } = await ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from (
        select key, array_agg(id) as ids from (
          select n.id, ${groupingBy(groupedTypes).key} as key from notifications n where ${isChosen(me, unread)}
          order by n.id desc limit ${limit * READ_PER_GROUP}::int) newest
        group by key) g
      where exists (select ${shown(me, unread)} and n.id = any(g.ids))
      limit ${limit}::int) shown`)
  return count
}

/** The id in `ungrouped-ID`; null for the key of a group. Throws NotFound for other texts. */
function singleOf(groupKey: string): string | null {
  const id = /^ungrouped-(.*)$/s.exec(groupKey)?.[1]
  if (id === undefined ? /^[\w.-]+$/.test(groupKey) : isId(id)) return id ?? null
  throw new NotFound()
}

function membersOf(groupKey: string): Sql {
  const single = singleOf(groupKey)
  return single === null ? sql`n.group_key = ${groupKey}` : sql`n.id = ${single}`
}
