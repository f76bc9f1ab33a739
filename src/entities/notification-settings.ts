import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { NotificationTreatments, PolicyRow } from '../domain/notifications/policy.ts'
import type { SubscriptionRow } from '../domain/notifications/push-subscriptions.ts'
import { NOTIFICATION_TYPES } from '../domain/notifications/types.ts'
import { getSecrets } from '../domain/server/secrets.ts'

const Treatment = Type.Union([Type.Literal('accept'), Type.Literal('filter'), Type.Literal('drop')])
const summary = Type.Object({ pending_requests_count: Type.Integer(), pending_notifications_count: Type.Integer() })

const treatments = {
  for_not_following: Treatment,
  for_not_followers: Treatment,
  for_new_accounts: Treatment,
  for_private_mentions: Treatment,
  for_limited_accounts: Treatment,
  for_bots: Treatment,
} satisfies Record<keyof NotificationTreatments, typeof Treatment>

export const policyParams = Type.Partial(Type.Object(treatments)).properties

/** https://docs.joinmastodon.org/entities/NotificationPolicy/ */
export const NotificationPolicyV2 = Type.Object({ ...treatments, summary }, { $id: 'NotificationPolicy' })

export const NotificationPolicyV1 = Type.Object(
  {
    filter_not_following: Type.Boolean(),
    filter_not_followers: Type.Boolean(),
    filter_new_accounts: Type.Boolean(),
    filter_private_mentions: Type.Boolean(),
    filter_bots: Type.Boolean(),
    summary,
  },
  { $id: 'V1_NotificationPolicy' },
)

export function presentPolicy(row: PolicyRow): Static<typeof NotificationPolicyV2> {
  const { pending_requests_count, pending_notifications_count, ...policy } = row
  return { ...policy, summary: { pending_requests_count, pending_notifications_count } }
}

export function presentPolicyV1(row: PolicyRow): Static<typeof NotificationPolicyV1> {
  return {
    filter_not_following: row.for_not_following !== 'accept',
    filter_not_followers: row.for_not_followers !== 'accept',
    filter_new_accounts: row.for_new_accounts !== 'accept',
    filter_private_mentions: row.for_private_mentions !== 'accept',
    filter_bots: row.for_bots !== 'accept',
    summary: presentPolicy(row).summary,
  }
}

export const PushPolicy = Type.Union([
  Type.Literal('all'),
  Type.Literal('followed'),
  Type.Literal('follower'),
  Type.Literal('none'),
])

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
