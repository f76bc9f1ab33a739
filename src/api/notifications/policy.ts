import Type from 'typebox'
import { getPolicy, savePolicy, type Treatment } from '../../domain/notifications/policy.ts'
import {
  NotificationPolicyV2,
  NotificationPolicyV1,
  policyParams,
  presentPolicy,
  presentPolicyV1,
} from '../../entities/notification-settings.ts'
import { route } from '../../http/route.ts'

export const getNotificationPolicy = route({
  summary: 'The notification policy',
  scope: 'read:notifications',
  returns: NotificationPolicyV2,
  handle: async ({ ctx, viewer }) => presentPolicy(await getPolicy(ctx, viewer.accountId)),
})

export const updateNotificationPolicy = route({
  summary: 'Change the notification policy; absent parameters leave it as it is',
  scope: 'write:notifications',
  params: policyParams,
  returns: NotificationPolicyV2,
  async handle({ ctx, viewer, params }) {
    await savePolicy(ctx, viewer.accountId, params)
    return presentPolicy(await getPolicy(ctx, viewer.accountId))
  },
})

export const getNotificationPolicyV1 = route({
  summary: 'The notification policy in its old form',
  scope: 'read:notifications',
  returns: NotificationPolicyV1,
  handle: async ({ ctx, viewer }) => presentPolicyV1(await getPolicy(ctx, viewer.accountId)),
})

export const updateNotificationPolicyV1 = route({
  summary: 'Change the notification policy in its old form',
  scope: 'write:notifications',
  params: {
    filter_not_following: Type.Optional(Type.Boolean()),
    filter_not_followers: Type.Optional(Type.Boolean()),
    filter_new_accounts: Type.Optional(Type.Boolean()),
    filter_private_mentions: Type.Optional(Type.Boolean()),
    filter_bots: Type.Optional(Type.Boolean()),
  },
  returns: NotificationPolicyV1,
  async handle({ ctx, viewer, params }) {
    const now = await getPolicy(ctx, viewer.accountId)
    await savePolicy(ctx, viewer.accountId, {
      for_not_following: treatment(params.filter_not_following, now.for_not_following),
      for_not_followers: treatment(params.filter_not_followers, now.for_not_followers),
      for_new_accounts: treatment(params.filter_new_accounts, now.for_new_accounts),
      for_private_mentions: treatment(params.filter_private_mentions, now.for_private_mentions),
      for_bots: treatment(params.filter_bots, now.for_bots),
    })
    return presentPolicyV1(await getPolicy(ctx, viewer.accountId))
  },
})

/** Old clients know only `filter`: when they send back what they received, `drop` stays `drop`. */
function treatment(filter: boolean | undefined, now: Treatment): Treatment {
  if (filter === undefined) return now
  if (!filter) return 'accept'
  return now === 'accept' ? 'filter' : now
}
