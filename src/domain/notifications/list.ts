import type { Notifications } from '../../db/schema.ts'
import { type Context, perServer } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import { newestPage, onPage, type Pagination } from '../../db/page.ts'
import { type Sql, allOf, nothing, sql } from '../../db/sql.ts'
import type { NotificationType } from './types.ts'
import { acceptsDomain, acceptsNotificationsFrom, notHiddenInNotifications } from '../relationships/hidden.ts'
import { readShown, StatusReader } from '../statuses/reader.ts'
import { type MaybeViewer, visibleTo } from '../statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'

export type Recipient = NonNullable<MaybeViewer>

/**
 * `subject_id`: a severance event, warning, report or collection, by type. `filtered`: the recipient's policy holds it back.
 */
export type NotificationRow = Pick<
  Notifications,
  'id' | 'from_account_id' | 'status_id' | 'subject_id' | 'group_key' | 'filtered' | 'created_at'
> & { type: NotificationType }

/**
 * `include_filtered`: also those that the policy holds back. So does `account_id`, as in Mastodon: apps show by it what a
 * notification request holds. `unread`: only those after the recipient's marker.
 */
export type NotificationFilter = {
  types?: readonly string[]
  exclude_types?: readonly string[]
  account_id?: string
  include_filtered?: boolean
  unread?: boolean
}

const includesFiltered = ({ account_id, include_filtered = false }: NotificationFilter): boolean =>
  include_filtered || account_id !== undefined

const columns = sql`n.id, n.type, n.from_account_id, n.status_id, n.subject_id, n.group_key, n.filtered, n.created_at`

/** Newest first. */
export async function listNotifications(
  ctx: Context,
  me: Recipient,
  page: Pagination,
  filter: NotificationFilter,
): Promise<NotificationRow[]> {
  const entries = await readShown<PageEntry>(page, {
    read: (part) => readEntries(ctx, { me, filter }, part),
    filter: (found) => filterShown(ctx, me, found),
    cursor: ({ id }) => id,
  })
  return entries.flatMap(({ row }) => row ?? [])
}

type Query = { me: Recipient; filter: NotificationFilter }

/**
 * Those of one read that the recipient sees, in the direction of `part`. `more`: a further condition on `n`. `last`: where to
 * read on; null at the end of the list.
 */
export async function readSome(
  ctx: Context,
  query: Query,
  part: Pagination,
  more: Sql,
): Promise<{ rows: NotificationRow[]; last: string | null }> {
  const entries = await readEntries(ctx, query, part, more)
  const shownEntries = await filterShown(ctx, query.me, entries)
  return {
    rows: shownEntries.flatMap(({ row }) => row ?? []),
    last: entries.length < part.limit ? null : (entries.at(-1)?.id ?? null),
  }
}

async function readEntries(
  ctx: Context,
  { me, filter }: Query,
  part: Pagination,
  more: Sql = sql`true`,
): Promise<PageEntry[]> {
  const found = await ctx.db.many<{ id: string }>(sql`
    select n.id from notifications n
    where n.account_id = ${me.accountId} and ${matches(me, filter)} and ${more} and ${onPage(sql`n.id`, part)}`)
  const ids = found.map(({ id }) => id)
  const rows = new Map(await loadNotifications(ctx, ids, filter))
  return ids.map((id) => ({ id, row: rows.get(id) }))
}

/** Without a row when the notification was deleted meanwhile. */
type PageEntry = { id: string; row: NotificationRow | undefined }

/** Notifications that no policy holds back never change: what is cached is right as long as the id exists. */
const cache = perServer((ctx) => new CoherentCache<NotificationRow>(ctx.changes, [], { max: 20_000 }))

/** By id. One statement, or none when all are cached. */
export async function loadNotifications(
  ctx: Context,
  ids: readonly string[],
  filter: NotificationFilter,
): Promise<Iterable<[string, NotificationRow]>> {
  const read = async (some: readonly string[]): Promise<[string, NotificationRow][]> => {
    const rows = await ctx.db.many<NotificationRow>(
      sql`select ${columns} from notifications n where n.id = any(${some}::bigint[])`,
    )
    return rows.map((row) => [row.id, row])
  }
  return includesFiltered(filter) ? read(ids) : cache(ctx).load(ctx, ids, read)
}

/** As `shown`, in memory. */
async function filterShown(ctx: Context, me: Recipient, entries: readonly PageEntry[]): Promise<PageEntry[]> {
  const found = entries.flatMap(({ row }) => row ?? [])
  const reader = await StatusReader.load(
    ctx,
    me,
    found.flatMap(({ status_id }) => status_id ?? []),
    found.map(({ from_account_id }) => from_account_id),
  )
  const isShown = ({ from_account_id, status_id }: NotificationRow): boolean => {
    if (reader.account(from_account_id)?.suspended !== false) return false
    if (!acceptsNotificationsFrom(reader.relationship(from_account_id))) return false
    return status_id === null || reader.sees(reader.status(status_id))
  }
  return entries.filter(({ row }) => row && isShown(row))
}

/** Null also when the notification is hidden. */
export async function findNotification(ctx: Context, me: Recipient, id: string): Promise<NotificationRow | null> {
  return ctx.db.maybe<NotificationRow>(sql`
    select ${columns} ${shown(me, { include_filtered: true })} and n.id = ${id}`)
}

export async function countUnread(
  ctx: Context,
  me: Recipient,
  limit: number,
  filter: NotificationFilter,
): Promise<number> {
  return (await listNotifications(ctx, me, newestPage(limit), { ...filter, unread: true })).length
}

/** Throws NotFound. */
export async function dismissNotification(ctx: Context, accountId: string, id: string): Promise<void> {
  const gone = await ctx.db.run(sql`delete from notifications where account_id = ${accountId} and id = ${id}`)
  if (gone === 0) throw new NotFound()
}

/** Ignores ids of other accounts' notifications. */
export async function dismissNotifications(ctx: Context, accountId: string, ids: readonly string[]): Promise<void> {
  await ctx.db.run(sql`delete from notifications where account_id = ${accountId} and id = any(${ids}::bigint[])`)
}

export async function clearNotifications(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.run(sql`delete from notifications where account_id = ${accountId}`)
}

/**
 * `from … where …` of the notifications that a recipient sees. Leaves out those whose sender is suspended, or was blocked or
 * muted since, and those about statuses that the recipient may no longer read. The lateral join with a limit checks them one by
 * one and keeps PostgreSQL from sorting all of them for a page.
 */
export function shown(me: Recipient, filter: NotificationFilter): Sql {
  return sql`
    from notifications n cross join lateral (
      select from accounts fa
      left join statuses s on s.id = n.status_id
      left join accounts a on a.id = s.account_id
      where ${isFromShownAccount(me)} and (n.status_id is null or ${visibleTo(me)})
      limit 1
    ) seen
    where ${isChosen(me, filter)}`
}

/** As `shown`, without the check of the status, for notifications about a status that the recipient may read. */
export function shownAlike(me: Recipient, filter: NotificationFilter): Sql {
  return sql`
    from notifications n join accounts fa on ${isFromShownAccount(me)}
    where ${isChosen(me, filter)}`
}

/** Whether `fa` is the sender, not suspended, and not of a domain that the recipient blocks. */
const isFromShownAccount = ({ accountId: mine }: Recipient): Sql => sql`
  fa.id = n.from_account_id and fa.suspended_at is null
    and ${acceptsDomain(sql`fa.id`, sql`fa.domain`, mine)}`

/** Whether `n` is the recipient's own and matches, without the checks of its sender and status: see `shown`. */
export function isChosen(me: Recipient, filter: NotificationFilter): Sql {
  const mine = me.accountId
  return sql`
    n.account_id = ${mine}
      and ${notHiddenInNotifications(sql`n.from_account_id`, mine)} and ${matches(me, filter)}`
}

const matches = ({ accountId }: Recipient, filter: NotificationFilter): Sql =>
  allOf([
    filter.unread &&
      sql`n.id > coalesce((select last_read_id from markers where account_id = ${accountId} and timeline = 'notifications'), 0)`,
    !includesFiltered(filter) && sql`not n.filtered`,
    filter.types && filter.types.length > 0 && sql`n.type = any(${filter.types}::text[])`,
    filter.exclude_types && filter.exclude_types.length > 0 && sql`n.type <> all(${filter.exclude_types}::text[])`,
    filter.account_id !== undefined && sql`n.from_account_id = ${filter.account_id}`,
  ])

/**
 * Without `types`, deletes all notifications from the accounts, and their notification requests and permissions too.
 */
export async function deleteNotificationsFrom(
  tx: Context,
  accountId: string,
  fromAccountIds: readonly string[],
  types?: readonly NotificationType[],
): Promise<void> {
  const theirs = sql`account_id = ${accountId} and from_account_id = any(${fromAccountIds}::bigint[])`
  const rest = sql`
    with requests as (delete from notification_requests where ${theirs}), permissions as (delete from notification_permissions where ${theirs})`
  await tx.db.run(sql`
    ${types ? nothing : rest}
    delete from notifications where ${theirs} ${types ? sql`and type = any(${types}::text[])` : nothing}`)
}

/** Their notification requests and permissions, too. */
export async function deleteNotificationsFromDomain(tx: Context, accountId: string, domain: string): Promise<void> {
  const deletedFrom = (table: Sql): Sql => sql`
    delete from ${table} n using accounts a where n.account_id = ${accountId} and a.id = n.from_account_id and a.domain = ${domain}`
  await tx.db.run(sql`
    with requests as (${deletedFrom(sql`notification_requests`)}), permissions as (${deletedFrom(sql`notification_permissions`)})
    ${deletedFrom(sql`notifications`)}`)
}
