import Type, { type Static } from 'typebox'
import type { DeviceDescription } from '../domain/crypto/devices.ts'
import type { EncryptedMessageRow } from '../domain/crypto/messages.ts'
import { DateTime, Id } from './schema.ts'

export const Device = Type.Object(
  { device_id: Type.String(), name: Type.String(), identity_key: Type.String(), fingerprint_key: Type.String() },
  { $id: 'Crypto_Device' },
)

export const KeysQueryResult = Type.Object(
  { account_id: Id, devices: Type.Array(Device) },
  { $id: 'Crypto_KeysQueryResult' },
)

export const KeysClaimResult = Type.Object(
  { account_id: Id, device_id: Type.String(), key_id: Type.String(), key: Type.String(), signature: Type.String() },
  { $id: 'Crypto_KeysClaimResult' },
)

export const KeysCount = Type.Object({ one_time_keys: Type.Integer() }, { $id: 'Crypto_KeysCount' })

export const EncryptedMessage = Type.Object(
  {
    id: Id,
    account_id: Id,
    device_id: Type.String(),
    type: Type.Integer(),
    body: Type.String(),
    digest: Type.String(),
    message_franking: Type.String(),
    created_at: DateTime,
  },
  { $id: 'Crypto_EncryptedMessage' },
)

export const presentDevice = ({
  device_id,
  name,
  identity_key,
  fingerprint_key,
}: DeviceDescription): Static<typeof Device> => ({
  device_id,
  name,
  identity_key,
  fingerprint_key,
})

/** Account and device are those of the sender. */
export const presentEncryptedMessage = (row: EncryptedMessageRow): Static<typeof EncryptedMessage> => ({
  id: row.id,
  account_id: row.from_account_id,
  device_id: row.from_device_id,
  type: row.type,
  body: row.body,
  digest: row.digest,
  message_franking: row.message_franking,
  created_at: row.created_at.toISOString(),
})
