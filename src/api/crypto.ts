// End-to-end encryption: keys of devices, and messages between devices.
import { deliverMessages } from '../actions/encrypted-messages.ts'
import { claimDeviceKeys, queryDevices } from '../actions/remote/devices.ts'
import { countOneTimeKeys, getDevice, saveDevice } from '../domain/crypto/devices.ts'
import { clearMessages, listMessages } from '../domain/crypto/messages.ts'
import {
  Device,
  EncryptedMessage,
  KeysClaimResult,
  KeysCount,
  KeysQueryResult,
  presentDevice,
  presentEncryptedMessage,
} from '../entities/crypto.ts'
import { Empty } from '../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { IdParam } from '../http/params.ts'
import { limitUse } from '../http/ratelimit.ts'
import { route } from '../http/route.ts'
import { BadRequest } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import Type from 'typebox'

export const uploadKeys = route({
  summary: 'Create or change the device of this token, and add one-time keys to it',
  scope: 'crypto',
  params: {
    device: Type.Object({
      device_id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      fingerprint_key: Type.Optional(Type.String()),
      identity_key: Type.Optional(Type.String()),
    }),
    one_time_keys: Type.Optional(
      Type.Array(Type.Object({ key_id: Type.String(), key: Type.String(), signature: Type.String() }), {
        maxItems: 500,
      }),
    ),
  },
  returns: Device,
  async handle({ ctx, viewer, params }) {
    const { tokenId, accountId } = viewer
    return presentDevice(await saveDevice(ctx, { tokenId, accountId }, params.device, params.one_time_keys ?? []))
  },
})

export const queryKeys = route({
  summary: 'The devices of accounts',
  scope: 'crypto',
  params: { id: Type.Array(IdParam, { maxItems: 100 }) },
  returns: Type.Array(KeysQueryResult),
  async handle({ ctx, viewer, params }) {
    const found = await queryDevices(ctx, viewer.accountId, params.id)
    return found.map(({ account_id, devices }) => ({ account_id, devices: devices.map(presentDevice) }))
  },
})

export const claimOneTimeKeys = route({
  summary: 'Claim a one-time key of each device',
  scope: 'crypto',
  params: {
    device: Type.Array(Type.Object({ account_id: IdParam, device_id: Type.String() }), { maxItems: 100 }),
  },
  returns: Type.Array(KeysClaimResult),
  async handle({ ctx, viewer, params }) {
    const devices = requireDevices(params.device)
    for (const id of new Set(devices.map(({ account_id }) => account_id)))
      await limitUse(ctx, 'key-claims', `${viewer.accountId} ${id}`)
    return claimDeviceKeys(ctx, viewer.accountId, devices)
  },
})

export const countKeys = route({
  summary: 'The number of one-time keys left for the device of this token',
  scope: 'crypto',
  returns: KeysCount,
  async handle({ ctx, viewer }) {
    return { one_time_keys: await countOneTimeKeys(ctx, await getDevice(ctx, viewer.tokenId)) }
  },
})

const Delivery = Type.Object({
  account_id: IdParam,
  device_id: Type.String(),
  type: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  body: Type.Optional(Type.String()),
  hmac: Type.Optional(Type.String()),
})

export const deliverEncryptedMessages = route({
  summary: 'Send encrypted messages to devices, to all of them or to none',
  scope: 'crypto',
  params: { device: Type.Array(Delivery, { maxItems: 100 }) },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    const deliveries = requireDevices(params.device).map(({ type = 0, body = '', hmac = '', ...device }) => ({
      ...device,
      type,
      body,
      hmac,
    }))
    await deliverMessages(ctx, await getDevice(ctx, viewer.tokenId), deliveries)
    return {}
  },
})

export const getEncryptedMessages = route({
  summary: 'Encrypted messages for the device of this token',
  scope: 'crypto',
  params: pageParams,
  returns: Type.Array(EncryptedMessage),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 80)
    const rows = await listMessages(ctx, await getDevice(ctx, viewer.tokenId), page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentEncryptedMessage)
  },
})

export const clearEncryptedMessages = route({
  summary: 'Delete encrypted messages up to and including one',
  scope: 'crypto',
  params: { up_to_id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await clearMessages(ctx, await getDevice(ctx, viewer.tokenId), params.up_to_id)
    return {}
  },
})

/** Throws BadRequest for an empty list. */
function requireDevices<T>(devices: readonly T[]): readonly T[] {
  if (devices.length === 0) throw new BadRequest(message('parameter_missing', { name: 'device' }))
  return devices
}
