import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { NotificationRow } from '../domain/notifications/list.ts'
import { NotFound } from '../lib/errors.ts'
import { joinedPieces, type JsonPieces, type JsonText, objectPieces } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import {
  NotificationFallback,
  NotificationTypeName,
  type NotificationViewer,
  readFallbacks,
} from './notification-fallback.ts'
import { presentSubjects, subjectMembers } from './notification-subjects.ts'
import { DateTime, Id } from './schema.ts'
import { presentStatusPieces } from './status-presenter.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/Notification/ */
export const Notification = Type.Object(
  {
    id: Id,
    type: NotificationTypeName,
    group_key: Type.String(),
    created_at: DateTime,
    account: Account,
    status: Type.Optional(Status),
    ...subjectMembers,
    fallback: Type.Optional(NotificationFallback),
    /** Only on notifications that the policy filters. */
    filtered: Type.Optional(Type.Literal(true)),
  },
  { $id: 'Notification' },
)
export type Notification = Static<typeof Notification>

/** Valid while account and status are the same: their caches return new ones after a change. */
type Presented = {
  account: JsonText<Account>
  status: JsonText<Status> | JsonPieces<Status> | undefined
  pieces: JsonPieces<Notification>
}

/** By the row, which the domain caches. Notifications with further members are not cached. */
const cache = new WeakMap<NotificationRow, Presented>()

/** `supported`: the types that the client knows. Notifications of other types get a fallback. */
export async function presentNotifications(
  ctx: Context,
  viewer: NotificationViewer,
  rows: readonly NotificationRow[],
  supported?: readonly string[],
): Promise<JsonPieces<Notification>[]> {
  const [accounts, statuses, subjectOf, fallbackFor] = await Promise.all([
    presentAccountMap(
      ctx,
      rows.map((row) => row.from_account_id),
    ),
    presentStatusPieces(
      ctx,
      viewer,
      rows.flatMap((row) => row.status_id ?? []),
    ),
    presentSubjects(ctx, viewer, rows),
    readFallbacks(ctx, viewer, supported, rows.map(fallbackRow)),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const status = row.status_id === null ? undefined : statuses.get(row.status_id)
    const fallback = fallbackFor(fallbackRow(row))
    const known = fallback ? undefined : cache.get(row)
    if (known && known.account === account && known.status === status) return [known.pieces]
    const subject = subjectOf(row)
    // The account, status or subject may have been deleted while they were read.
    if (!account || !subject || (row.status_id !== null && !status)) return []
    const pieces = objectPieces<Notification>({
      id: row.id,
      type: row.type,
      group_key: row.group_key ?? `ungrouped-${row.id}`,
      created_at: row.created_at.toISOString(),
      account,
      status,
      ...subject,
      fallback,
      filtered: row.filtered || undefined,
    })
    if (row.subject_id === null && !fallback) cache.set(row, { account, status, pieces })
    return [pieces]
  })
}

const fallbackRow = (row: NotificationRow) => ({
  type: row.type,
  accountId: row.from_account_id,
  statusId: row.status_id,
})

/** Throws NotFound when the account, status or subject was deleted. */
export async function presentNotification(
  ctx: Context,
  viewer: NotificationViewer,
  row: NotificationRow,
  supported?: readonly string[],
): Promise<JsonText<Notification>> {
  const [notification] = await presentNotifications(ctx, viewer, [row], supported)
  if (!notification) throw new NotFound()
  return joinedPieces(notification)
}
