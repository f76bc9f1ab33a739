import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { NotificationRow } from '../domain/notifications/list.ts'
import { NOTIFICATION_TYPES } from '../domain/notifications/types.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import { fallbackFor, NotificationFallback, presentSubjects, subjectMembers } from './notification-subjects.ts'
import { DateTime, Id } from './schema.ts'
import { presentStatusMap } from './status-presenter.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/Notification/ */
export const Notification = Type.Object(
  {
    id: Id,
    type: Type.Union(NOTIFICATION_TYPES.map((type) => Type.Literal(type))),
    group_key: Type.String(),
    created_at: DateTime,
    account: Account,
    status: Type.Optional(Status),
    ...subjectMembers,
    fallback: Type.Optional(NotificationFallback),
    /** Present, and true, on what the policy holds back. */
    filtered: Type.Optional(Type.Literal(true)),
  },
  { $id: 'Notification' },
)
export type Notification = Static<typeof Notification>

/**
 * Presents notifications to their recipient: accounts, statuses and whatever else are read at once, however many there are.
 * `supported`: the types the client knows; the others it is given in words too.
 */
export async function presentNotifications(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  rows: readonly NotificationRow[],
  supported?: readonly string[],
): Promise<JsonText<Notification>[]> {
  const [accounts, statuses, subjectOf] = await Promise.all([
    presentAccountMap(
      ctx,
      rows.map((row) => row.from_account_id),
    ),
    presentStatusMap(
      ctx,
      viewer,
      rows.flatMap((row) => row.status_id ?? []),
    ),
    presentSubjects(ctx, viewer, rows),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const status = row.status_id === null ? undefined : statuses.get(row.status_id)
    const subject = subjectOf(row)
    // Whoever or whatever went away, if only in this very moment, takes the notification along.
    if (!account || !subject || (row.status_id !== null && !status)) return []
    return jsonObject<Notification>({
      id: row.id,
      type: row.type,
      group_key: row.group_key ?? `ungrouped-${row.id}`,
      created_at: row.created_at.toISOString(),
      account,
      status,
      ...subject,
      fallback: fallbackFor(supported, { type: row.type, account, status }),
      filtered: row.filtered || undefined,
    })
  })
}

/** Presents one notification. Throws NotFound when it went away meanwhile. */
export async function presentNotification(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  row: NotificationRow,
  supported?: readonly string[],
): Promise<JsonText<Notification>> {
  const [notification] = await presentNotifications(ctx, viewer, [row], supported)
  if (!notification) throw new NotFound()
  return notification
}
