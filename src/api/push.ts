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
/** Clients send `policy` beside `data` or within it. */
const pushParams = {
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
  summary: 'Subscribe to push notifications; replaces the subscription of the token',
  scope: 'push',
  params: {
    subscription: Type.Optional(
      Type.Object({
        endpoint: Type.Optional(Type.String()),
        keys: Type.Optional(Type.Object({ p256dh: Type.Optional(Type.String()), auth: Type.Optional(Type.String()) })),
        standard: Type.Optional(Type.Boolean()),
      }),
    ),
    ...pushParams,
  },
  returns: WebPushSubscription,
  async handle({ ctx, viewer, params }) {
    const { subscription: { endpoint, keys, standard } = {}, data, policy = data?.policy } = params
    const subscribed = { endpoint, ...keys, standard, alerts: data?.alerts, policy }
    return presentSubscription(ctx, await saveSubscription(ctx, viewer, withoutUndefined(subscribed)))
  },
})

export const updatePushSubscription = route({
  summary: 'Change the types and the policy of the push subscription',
  scope: 'push',
  params: pushParams,
  returns: WebPushSubscription,
  async handle({ ctx, viewer, params }) {
    const { data, policy = data?.policy } = params
    return presentSubscription(
      ctx,
      await changeSubscription(ctx, viewer, withoutUndefined({ alerts: data?.alerts, policy })),
    )
  },
})

export const deletePushSubscription = route({
  summary: 'Delete the push subscription of the token',
  scope: 'push',
  returns: Empty,
  async handle({ ctx, viewer }) {
    await deleteSubscription(ctx, viewer)
    return {}
  },
})

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const withoutUndefined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
