import Type, { type Static } from 'typebox'
import type { PolicyRow } from '../domain/notifications/policy.ts'

const Treatment = Type.Union([Type.Literal('accept'), Type.Literal('filter'), Type.Literal('drop')])
const summary = Type.Object({ pending_requests_count: Type.Integer(), pending_notifications_count: Type.Integer() })

/** The parameters by which a policy is changed. */
export const policyParams = {
  for_not_following: Type.Optional(Treatment),
  for_not_followers: Type.Optional(Treatment),
  for_new_accounts: Type.Optional(Treatment),
  for_private_mentions: Type.Optional(Treatment),
  for_limited_accounts: Type.Optional(Treatment),
  for_bots: Type.Optional(Treatment),
}

/** https://docs.joinmastodon.org/entities/NotificationPolicy/ */
export const NotificationPolicy = Type.Object(
  {
    for_not_following: Treatment,
    for_not_followers: Treatment,
    for_new_accounts: Treatment,
    for_private_mentions: Treatment,
    for_limited_accounts: Treatment,
    for_bots: Treatment,
    summary,
  },
  { $id: 'NotificationPolicy' },
)

/** As it was when there was only to filter or not. */
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

export function presentPolicy(row: PolicyRow): Static<typeof NotificationPolicy> {
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
