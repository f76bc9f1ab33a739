// POST /api/v1/crypto/keys/{upload,query,claim}, GET /api/v1/crypto/keys/count: the keys with which devices speak in private.
import Type from 'typebox'
import { countOneTimeKeys, getDevice, saveDevice } from '../../domain/crypto/devices.ts'
import { claimKeys, findDevicesOf } from '../../domain/crypto/others.ts'
import { Device, KeysClaimResult, KeysCount, KeysQueryResult, presentDevice } from '../../entities/crypto.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { named } from './named.ts'

export const uploadKeys = route({
  summary: 'Make or change the device of this token, and add one-time keys to it',
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
    const found = await findDevicesOf(ctx, viewer.accountId, params.id)
    return found.map(({ account_id, devices }) => ({ account_id, devices: devices.map(presentDevice) }))
  },
})

export const claimOneTimeKeys = route({
  summary: 'A one-time key of each device, which nobody else is given',
  scope: 'crypto',
  params: {
    device: Type.Array(Type.Object({ account_id: IdParam, device_id: Type.String() }), { maxItems: 100 }),
  },
  returns: Type.Array(KeysClaimResult),
  handle: ({ ctx, viewer, params }) => claimKeys(ctx, viewer.accountId, named(params.device)),
})

export const countKeys = route({
  summary: 'How many one-time keys are left on the device of this token',
  scope: 'crypto',
  returns: KeysCount,
  async handle({ ctx, viewer }) {
    return { one_time_keys: await countOneTimeKeys(ctx, await getDevice(ctx, viewer.tokenId)) }
  },
})
