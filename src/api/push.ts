// GET, POST, PUT and DELETE /api/v1/push/subscription
import Type from 'typebox'
import {
  changeSubscription,
  deleteSubscription,
  getSubscription,
  saveSubscription,
} from '../domain/notifications/push-subscriptions.ts'
import { NOTIFICATION_TYPES } from '../domain/notifications/types.ts'
import { presentSubscription, PushPolicy, WebPushSubscription } from '../entities/notification-settings.ts'
import { Empty } from '../entities/schema.ts'
import { route } from '../http/route.ts'

const alerts = Type.Object(Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, Type.Optional(Type.Boolean())])))
/** What is pushed. The policy is documented beside `data`, and sent within it. */
const choice = {
  data: Type.Optional(Type.Object({ alerts: Type.Optional(alerts), policy: Type.Optional(PushPolicy) })),
  policy: Type.Optional(PushPolicy),
}

export const getPushSubscription = route({
  summary: 'The push subscription of the token',
  scope: 'push',
  returns: WebPushSubscription,
  handle: async ({ ctx, viewer }) => presentSubscription(ctx, await getSubscription(ctx, viewer)),
})

export const createPushSubscription = route({
  summary: 'Subscribe to pushes, instead of what the token was subscribed to before',
  scope: 'push',
  params: {
    subscription: Type.Optional(
      Type.Object({
        endpoint: Type.Optional(Type.String()),
        keys: Type.Optional(Type.Object({ p256dh: Type.Optional(Type.String()), auth: Type.Optional(Type.String()) })),
        standard: Type.Optional(Type.Boolean()),
      }),
    ),
    ...choice,
  },
  returns: WebPushSubscription,
  async handle({ ctx, viewer, params }) {
    const { subscription: { endpoint, keys, standard } = {}, data, policy = data?.policy } = params
    const wish = { endpoint, ...keys, standard, alerts: data?.alerts, policy }
    return presentSubscription(ctx, await saveSubscription(ctx, viewer, given(wish)))
  },
})

export const updatePushSubscription = route({
  summary: 'Change what is pushed',
  scope: 'push',
  params: choice,
  returns: WebPushSubscription,
  async handle({ ctx, viewer, params }) {
    const { data, policy = data?.policy } = params
    return presentSubscription(ctx, await changeSubscription(ctx, viewer, given({ alerts: data?.alerts, policy })))
  },
})

export const deletePushSubscription = route({
  summary: 'End the push subscription of the token',
  scope: 'push',
  returns: Empty,
  async handle({ ctx, viewer }) {
    await deleteSubscription(ctx, viewer)
    return {}
  },
})

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the members that are undefined. */
const given = <T extends object>(wish: T): Given<T> =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as Given<T>
