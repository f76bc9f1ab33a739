import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { getSecrets } from '../domain/server/secrets.ts'
import type { SubscriptionRow } from '../domain/notifications/push-subscriptions.ts'
import { NOTIFICATION_TYPES } from '../domain/notifications/types.ts'

export const PushPolicy = Type.Union([
  Type.Literal('all'),
  Type.Literal('followed'),
  Type.Literal('follower'),
  Type.Literal('none'),
])

/** Every type of notification, and whether it is pushed. */
const alerts = Type.Object(Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, Type.Boolean()])))

/** https://docs.joinmastodon.org/entities/WebPushSubscription/ */
export const WebPushSubscription = Type.Object(
  {
    /** A JSON number, unlike all other ids: Mastodon's serialiser does not turn this one into a string. */
    id: Type.Integer(),
    endpoint: Type.String(),
    standard: Type.Boolean(),
    alerts,
    policy: PushPolicy,
    /** The server's VAPID key, by which the push service knows it. */
    server_key: Type.String(),
  },
  { $id: 'WebPushSubscription' },
)

export async function presentSubscription(
  ctx: Context,
  row: SubscriptionRow,
): Promise<Static<typeof WebPushSubscription>> {
  const { vapid } = await getSecrets(ctx)
  return {
    ...row,
    id: Number(row.id),
    alerts: Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, row.alerts.includes(type)])),
    server_key: vapid.publicKey,
  }
}
