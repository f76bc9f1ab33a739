import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { GroupRow, PagedGroupRow } from '../domain/notifications/groups.ts'
import { NOTIFICATION_TYPES } from '../domain/notifications/types.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { jsonArray, jsonObject, type JsonText, toJson } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import { fallbackFor, NotificationFallback, presentSubjects, subjectMembers } from './notification-subjects.ts'
import { DateTime, Id } from './schema.ts'
import { presentStatusMap } from './status-presenter.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup */
const NotificationGroup = Type.Object(
  {
    group_key: Type.String(),
    notifications_count: Type.Integer(),
    type: Type.Union(NOTIFICATION_TYPES.map((type) => Type.Literal(type))),
    most_recent_notification_id: Id,
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

/** What avatars in a row need. */
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

/** Groups, with every account and status they name just once. */
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
  /** Only the first account of each group whole, the others as avatars. */
  partial?: boolean
  /** The types the client knows; the others it is given in words too. */
  supported?: readonly string[] | undefined
}

/** Presents groups to their recipient: accounts, statuses and whatever else are read at once, however many there are. */
export async function presentGroups(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  rows: readonly (GroupRow | PagedGroupRow)[],
  { partial = false, supported }: GroupOptions = {},
): Promise<JsonText<GroupedNotificationsResults>> {
  const accountIds = rows.flatMap((row) => row.sample_account_ids)
  const statusIds = rows.flatMap((row) => row.status_id ?? [])
  const [accounts, statuses, subjectOf] = await Promise.all([
    presentAccountMap(ctx, accountIds),
    presentStatusMap(ctx, viewer, statusIds),
    presentSubjects(ctx, viewer, rows),
  ])
  const groups = rows.flatMap((row) => {
    const samples = row.sample_account_ids.filter((id) => accounts.has(id))
    const account = accounts.get(samples[0] ?? '')
    const status = row.status_id === null ? undefined : statuses.get(row.status_id)
    const subject = subjectOf(row)
    // As with single notifications: what it is about may have gone away.
    if (!account || !subject || (row.status_id !== null && !status)) return []
    const fallback = fallbackFor(supported, { type: row.type, account, status })
    return { samples, json: jsonObject<never>({ ...membersOf(row, samples), ...subject, fallback }) }
  })
  const whole = new Set(groups.flatMap(({ samples }) => (partial ? samples.slice(0, 1) : samples)))
  const avatars = new Set(groups.flatMap(({ samples }) => samples).filter((id) => !whole.has(id)))
  const of = <T>(ids: Iterable<string>, presented: Map<string, JsonText<T>>): JsonText<T>[] =>
    [...ids].flatMap((id) => presented.get(id) ?? [])
  return jsonObject({
    accounts: jsonArray(of(whole, accounts)),
    partial_accounts: partial ? jsonArray(of(avatars, accounts).map(avatarOf)) : undefined,
    statuses: jsonArray(of(new Set(statusIds), statuses)),
    notification_groups: jsonArray(groups.map(({ json }) => json)),
  })
}

function membersOf(row: GroupRow | PagedGroupRow, samples: readonly string[]): Record<string, unknown> {
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

function avatarOf(whole: JsonText<Account>): JsonText<PartialAccountWithAvatar> {
  const { id, acct, url, uri, avatar, avatar_static, avatar_description, locked, bot } = JSON.parse(
    whole.toString(),
  ) as Account
  return toJson({ id, acct, url: url ?? uri, avatar, avatar_static, avatar_description, locked, bot })
}
