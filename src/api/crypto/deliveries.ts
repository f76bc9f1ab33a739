// POST /api/v1/crypto/deliveries: private messages to devices.
import Type from 'typebox'
import { getDevice } from '../../domain/crypto/devices.ts'
import { deliverMessages } from '../../actions/crypto/deliver.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { named } from './named.ts'

const Delivery = Type.Object({
  account_id: IdParam,
  device_id: Type.String(),
  type: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  body: Type.Optional(Type.String()),
  hmac: Type.Optional(Type.String()),
})

export const deliver = route({
  summary: 'Send encrypted messages to devices: to all, or to none',
  scope: 'crypto',
  params: { device: Type.Array(Delivery, { maxItems: 100 }) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    const deliveries = named(params.device).map(({ type = 0, body = '', hmac = '', ...device }) => ({
      ...device,
      type,
      body,
      hmac,
    }))
    await deliverMessages(ctx, await getDevice(ctx, viewer.tokenId), deliveries)
    return {}
  },
})
