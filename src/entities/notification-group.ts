import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { GroupRow, PagedGroupRow } from '../domain/notifications/groups.ts'
import { jsonArray, jsonObject, type JsonText, toJson } from '../lib/json.ts'
import { presentAccountMap, readAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import {
  NotificationFallback,
  NotificationTypeName,
  type NotificationViewer,
  readFallbacks,
} from './notification-fallback.ts'
import { presentSubjects, subjectMembers } from './notification-subjects.ts'
import { DateTime, Id } from './schema.ts'
import { presentStatusMap } from './status-presenter.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup */
const NotificationGroup = Type.Object(
  {
    group_key: Type.String(),
    notifications_count: Type.Integer(),
    type: NotificationTypeName,
    /** A number for clients that decode nothing else. */
    most_recent_notification_id: Type.Union([Id, Type.Integer()]),
    page_min_id: Type.Optional(Id),
    page_max_id: Type.Optional(Id),
    latest_page_notification_at: Type.Optional(DateTime),
    sample_account_ids: Type.Array(Id),
    status_id: Type.Optional(Id),
    ...subjectMembers,
    fallback: Type.Optional(NotificationFallback),
  },
  { $id: 'NotificationGroup' },
)

type NotificationGroup = Static<typeof NotificationGroup>

const PartialAccountWithAvatar = Type.Object(
  {
    id: Id,
    acct: Type.String(),
    url: Type.String(),
    avatar: Type.String(),
    avatar_static: Type.String(),
    avatar_description: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
  },
  { $id: 'PartialAccountWithAvatar' },
)
type PartialAccountWithAvatar = Static<typeof PartialAccountWithAvatar>

/** Lists each account and status only once. */
export const GroupedNotificationsResults = Type.Object(
  {
    accounts: Type.Array(Account),
    partial_accounts: Type.Optional(Type.Array(PartialAccountWithAvatar)),
    statuses: Type.Array(Status),
    notification_groups: Type.Array(NotificationGroup),
  },
  { $id: 'GroupedNotificationsResults' },
)
export type GroupedNotificationsResults = Static<typeof GroupedNotificationsResults>

export type GroupOptions = {
  /** Present only the first account of each group fully, and the others as avatars. */
  partial?: boolean
  /** The types that the client knows. Groups of other types get a fallback. */
  supported?: readonly string[] | undefined
  /** Send `most_recent_notification_id` as a number. */
  numberedIds?: boolean
}

export async function presentGroups(
  ctx: Context,
  viewer: NotificationViewer,
  rows: readonly (GroupRow | PagedGroupRow)[],
  { partial = false, supported, numberedIds = false }: GroupOptions = {},
): Promise<JsonText<GroupedNotificationsResults>> {
  const statusIds = rows.flatMap((row) => row.status_id ?? [])
  const [accounts, statuses, subjectOf] = await Promise.all([
    readSamples(ctx, rows, partial),
    presentStatusMap(ctx, viewer, statusIds),
    presentSubjects(ctx, viewer, rows),
  ])
  const groups = rows.flatMap((row) => {
    const samples = row.sample_account_ids.filter((id) => accounts.json.has(id))
    const [accountId] = samples
    const subject = subjectOf(row)
    const isGone = row.status_id !== null && !statuses.has(row.status_id)
    return accountId === undefined || !subject || isGone ? [] : [{ row, accountId, samples, subject }]
  })
  const fallbackRow = ({ row, accountId }: (typeof groups)[number]) => ({
    type: row.type,
    accountId,
    statusId: row.status_id,
  })
  const fallbackFor = await readFallbacks(ctx, viewer, supported, groups.map(fallbackRow))
  const whole = new Set(groups.flatMap(({ samples }) => (partial ? samples.slice(0, 1) : samples)))
  const avatars = new Set(groups.flatMap(({ samples }) => samples).filter((id) => !whole.has(id)))
  return jsonObject<GroupedNotificationsResults>({
    accounts: jsonArray(pick(accounts.json, whole)),
    partial_accounts: partial ? pick(accounts.values, avatars).map(avatarOf) : undefined,
    statuses: jsonArray(pick(statuses, new Set(statusIds))),
    notification_groups: jsonArray(
      groups.map((group) =>
        jsonObject<NotificationGroup>({
          ...membersOf(group.row, group.samples),
          ...(numberedIds && { most_recent_notification_id: Number(group.row.most_recent_notification_id) }),
          ...group.subject,
          fallback: fallbackFor(fallbackRow(group)),
        }),
      ),
    ),
  })
}

type Samples = { json: Map<string, JsonText<Account>>; values: Map<string, Account> }

/** Fills `values` only where some accounts are shown as avatars. */
async function readSamples(ctx: Context, rows: readonly GroupRow[], partial: boolean): Promise<Samples> {
  const ids = rows.flatMap((row) => row.sample_account_ids)
  if (!partial) return { json: await presentAccountMap(ctx, ids), values: new Map() }
  const values = await readAccountMap(ctx, ids)
  return { json: new Map([...values].map(([id, account]) => [id, toJson(account)])), values }
}

const pick = <T>(entities: ReadonlyMap<string, T>, ids: Iterable<string>): T[] =>
  [...ids].flatMap((id) => entities.get(id) ?? [])

function membersOf(row: GroupRow | PagedGroupRow, samples: string[]): NotificationGroup {
  const paged = 'page_min_id' in row ? row : null
  return {
    group_key: row.group_key,
    notifications_count: row.notifications_count,
    type: row.type,
    most_recent_notification_id: row.most_recent_notification_id,
    page_min_id: paged?.page_min_id,
    page_max_id: paged?.page_max_id,
    latest_page_notification_at: paged?.latest_page_notification_at.toISOString(),
    sample_account_ids: samples,
    status_id: row.status_id ?? undefined,
  }
}

function avatarOf(account: Account): PartialAccountWithAvatar {
  const { id, acct, url, uri, avatar, avatar_static, avatar_description, locked, bot } = account
  return { id, acct, url: url ?? uri, avatar, avatar_static, avatar_description, locked, bot }
}
