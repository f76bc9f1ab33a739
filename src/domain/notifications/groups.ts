import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { findNotification, shown, shownAlike, type NotificationFilter, type Recipient } from './list.ts'
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

/**
 * Newest first, in one statement: it steps from one group to the next, past notifications of groups that it has, and
 * then reads each group within the bounds of the page. The next page may contain older notifications of the same
 * groups. Types other than `groupedTypes` are not grouped.
 */
export async function listGroups(
  ctx: Context,
  me: Recipient,
  page: Pagination,
  filter: NotificationFilter,
  groupedTypes: readonly string[],
): Promise<PagedGroupRow[]> {
  const { isGrouped, key } = groupingBy(groupedTypes)
  const [beyond, order] =
    page.minId === null ? [sql`n.id < w.id`, sql`order by n.id desc`] : [sql`n.id > w.id`, sql`order by n.id`]
  const here = sql`${shown(me, filter)} and ${within(sql`n.id`, page)}`
  // A page that is not full reaches to the end: it includes all older members of its groups.
  const [low, top] =
    page.minId === null
      ? [
          sql`case when count(*) < ${page.limit}::int then coalesce(${page.sinceId}::bigint + 1, 0) else min(id) end`,
          sql`max(id)`,
        ]
      : [
          sql`min(id)`,
          sql`case when count(*) < ${page.limit}::int then coalesce(${page.maxId}::bigint - 1, 9223372036854775807) else max(id) end`,
        ]
  return ctx.db.many<PagedGroupRow>(sql`
    with recursive walk as (
      (select n.id, ${isGrouped} as grouped, ${key} as group_key, 1 as place, array[${key}] as met ${here} ${order} limit 1)
      union all
      select next.id, next.grouped, next.group_key, w.place + 1, w.met || next.group_key
      from walk w cross join lateral (
        select n.id, ${isGrouped} as grouped, ${key} as group_key
        ${here} and ${beyond} and (not ${isGrouped} or n.group_key <> all(w.met)) ${order} limit 1) next
      where w.place < ${page.limit}::int
    ), bounds as (select ${low} as low, ${top} as top from walk)
    select w.group_key, n.type, n.status_id, n.subject_id, coalesce(m.count, 1) as notifications_count,
      n.id as most_recent_notification_id, coalesce(m.samples, array[n.from_account_id::text]) as sample_account_ids,
      coalesce(m.page_min_id, n.id) as page_min_id, n.id as page_max_id, n.created_at as latest_page_notification_at
    from walk w cross join bounds b
    left join lateral (
      select count(*)::int, max(n.id) as newest, min(n.id) filter (where n.id >= b.low) as page_min_id,
        (array_agg(n.from_account_id::text order by n.id desc))[:${SAMPLES}::int] as samples
      ${shownAlike(me, filter)} and w.grouped and n.group_key = w.group_key and n.id <= b.top
    ) m on w.grouped
    join notifications n on n.id = coalesce(m.newest, w.id)
    order by n.id desc`)
}

/** Throws NotFound. */
export async function getGroup(ctx: Context, me: Recipient, groupKey: string): Promise<GroupRow> {
  const single = singleOf(groupKey)
  if (single !== null) {
    const row = await findNotification(ctx, me, single)
    if (!row) throw new NotFound()
    const { id, type, status_id, subject_id, from_account_id } = row
    return {
      group_key: groupKey,
      type,
      status_id,
      subject_id,
      notifications_count: 1,
      most_recent_notification_id: id,
      sample_account_ids: [from_account_id],
    }
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
    select n.id, n.from_account_id ${shown(me, { include_filtered: true })} and ${members} and ${within(sql`n.id`, page)} ${ordered(sql`n.id`, page)}`)
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

/** The number of unread notifications to read for each group that is counted. */
const READ_PER_GROUP = 20

export async function countUnreadGroups(
  ctx: Context,
  me: Recipient,
  limit: number,
  filter: NotificationFilter,
  groupedTypes: readonly string[],
): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(sql`
    select least(count(distinct key), ${limit}::int)::int as count from (
      select ${groupingBy(groupedTypes).key} as key ${shown(me, filter)}
        and n.id > coalesce((select last_read_id from markers where account_id = ${me.accountId} and timeline = 'notifications'), 0)
      order by n.id desc limit ${limit * READ_PER_GROUP}::int) unread`)
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
