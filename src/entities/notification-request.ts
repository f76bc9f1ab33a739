import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { RequestRow } from '../domain/notifications/requests.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import { DateTime, Id } from './schema.ts'
import { presentStatusMap } from './status-presenter.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/NotificationRequest/ */
export const NotificationRequest = Type.Object(
  {
    id: Id,
    created_at: DateTime,
    updated_at: DateTime,
    account: Account,
    /** A number, as text. */
    notifications_count: Type.String(),
    last_status: Type.Optional(Status),
  },
  { $id: 'NotificationRequest' },
)
type NotificationRequest = Static<typeof NotificationRequest>

export async function presentRequests(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  rows: readonly RequestRow[],
): Promise<JsonText<NotificationRequest>[]> {
  const [accounts, statuses] = await Promise.all([
    presentAccountMap(
      ctx,
      rows.map((row) => row.from_account_id),
    ),
    presentStatusMap(
      ctx,
      viewer,
      rows.flatMap((row) => row.last_status_id ?? []),
    ),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    if (!account) return []
    return jsonObject<NotificationRequest>({
      id: row.id,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      account,
      notifications_count: String(row.notifications_count),
      last_status: row.last_status_id === null ? undefined : statuses.get(row.last_status_id),
    })
  })
}
