// Devices of the crypto API, and claims of their one-time keys
import { deviceContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { claimKeys, findDevicesOf } from '../../domain/crypto/devices.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'
import { claimUri, devicesUri } from '../ids.ts'
import { type LocalActor, localActor } from './actor.ts'

/** GET /users/:username/collections/devices. A signer that is blocked, or on a blocked domain, sees none. */
export async function devicesDocument(ctx: Context, signer: MaybeViewer, username: string): Promise<unknown> {
  const account = await localActor(ctx, username)
  const [found] = await findDevicesOf(ctx, signer?.accountId ?? null, [account.id])
  const devices = found?.devices ?? []
  return {
    '@context': deviceContext,
    id: devicesUri(ctx, account.username),
    type: 'Collection',
    totalItems: devices.length,
    items: devices.map(({ device_id, name, fingerprint_key, identity_key }) => ({
      type: 'Device',
      deviceId: device_id,
      name,
      claim: claimUri(ctx, account.username, device_id),
      fingerprintKey: { type: 'Ed25519Key', publicKeyBase64: fingerprint_key },
      identityKey: { type: 'Curve25519Key', publicKeyBase64: identity_key },
    })),
  }
}

/** Deletes a one-time key of the device and returns it. Throws NotFound without a device, a key, or access to them. */
export async function claimedKeyDocument(
  ctx: Context,
  signerId: string,
  account: LocalActor,
  deviceId: string,
): Promise<unknown> {
  const [claimed] = await claimKeys(ctx, signerId, [{ account_id: account.id, device_id: deviceId }])
  if (!claimed) throw new NotFound()
  return {
    '@context': deviceContext,
    keyId: claimed.key_id,
    type: 'Curve25519Key',
    publicKeyBase64: claimed.key,
    signature: { type: 'Ed25519Signature', signatureValue: claimed.signature },
  }
}
