// Devices, one-time keys and encrypted messages of Mastodon's crypto API. Keys and signatures are base64, and not verified here.
import {
  asArray,
  asObject,
  firstObject,
  isSameHost,
  type Json,
  MAX_TEXT_LENGTH,
  numberOf,
  textOf,
  typesOf,
  urlOf,
} from './normalise.ts'

export const hmacSha256 = 'http://www.w3.org/2000/09/xmldsig#hmac-sha256'

export type RemoteDevice = {
  device_id: string
  name: string
  fingerprint_key: string
  identity_key: string
  /** Where one-time keys of the device are claimed; on the host of the actor. */
  claimUrl: string
}

export type RemoteOneTimeKey = { key_id: string; key: string; signature: string }

export type RemoteEncryptedMessage = {
  fromDeviceId: string
  toDeviceId: string
  type: 0 | 1
  body: string
  hmac: string
  /** The attestation of the sender's server. */
  franking: string | null
}

/** Limits of devices per account, and of the characters of a name and of an attestation. */
const MAX_DEVICES = 32
const MAX_NAME = 256
const MAX_FRANKING = 4096

/** Leaves out unusable devices. Null unless it is a collection. Does not verify who sent it. */
export function parseDevices(json: unknown, actorUri: string): RemoteDevice[] | null {
  const collection = asObject(json)
  if (collection === null || !typesOf(collection).some((type) => /^(?:Ordered)?Collection$/.test(type))) return null
  const items = asArray(collection['items'] ?? collection['orderedItems'], MAX_DEVICES)
  const devices = items.flatMap((each) => parseDevice(each, actorUri) ?? [])
  return [...new Map(devices.map((device) => [device.device_id, device])).values()]
}

function parseDevice(json: unknown, actorUri: string): RemoteDevice | null {
  const device = asObject(json)
  if (device === null || !typesOf(device).includes('Device')) return null
  const device_id = shortTextOf(device['deviceId'])
  const fingerprint_key = keyOf(device['fingerprintKey'])
  const identity_key = keyOf(device['identityKey'])
  const claimUrl = urlOf(device['claim'])
  if (device_id === null || fingerprint_key === null || identity_key === null || claimUrl === null) return null
  if (!isSameHost(claimUrl, actorUri)) return null
  return { device_id, name: textOf(device['name'], MAX_NAME) ?? '', fingerprint_key, identity_key, claimUrl }
}

const keyOf = (value: unknown): string | null => shortTextOf(firstObject(value)?.['publicKeyBase64'])

export function parseOneTimeKey(json: unknown): RemoteOneTimeKey | null {
  const object = asObject(json)
  // Mastodon's serializer writes `keyId`, its client code reads `id`.
  const key_id = shortTextOf(object?.['keyId'] ?? object?.['id'])
  const key = shortTextOf(object?.['publicKeyBase64'])
  const signature = shortTextOf(firstObject(object?.['signature'])?.['signatureValue'])
  return key_id === null || key === null || signature === null ? null : { key_id, key, signature }
}

export const isEncryptedMessage = (objectTypes: readonly string[]): boolean => objectTypes.includes('EncryptedMessage')

/**
 * Null without both devices, and for a digest of another algorithm. Texts that are too long stay so: the mailbox refuses them.
 */
export function parseEncryptedMessage(object: Json): RemoteEncryptedMessage | null {
  const digest = firstObject(object['digest'])
  const fromDeviceId = deviceIdOf(object['attributedTo'])
  const toDeviceId = deviceIdOf(object['to'])
  const type = numberOf(object['messageType'])
  const body = textOf(object['cipherText'], MAX_TEXT_LENGTH)
  const hmac = textOf(digest?.['digestValue'])
  const franking = textOf(object['messageFranking'], MAX_FRANKING + 1)
  if (fromDeviceId === null || toDeviceId === null || body === null || hmac === null) return null
  if (textOf(digest?.['digestAlgorithm']) !== hmacSha256 || (type !== 0 && type !== 1)) return null
  if (franking !== null && franking.length > MAX_FRANKING) return null
  return { fromDeviceId, toDeviceId, type, body, hmac, franking }
}

const deviceIdOf = (value: unknown): string | null => shortTextOf(firstObject(value)?.['deviceId'])

/** Null for a text that is blank or too long: shortened, it would be another one. */
function shortTextOf(value: unknown): string | null {
  const text = textOf(value, MAX_NAME + 1)
  return text === null || text.trim() === '' || text.length > MAX_NAME ? null : text
}
