import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Person } from './server.ts'

/** The client side of encrypted messages, as far as the server sees it. */
export type TestDevice = {
  device: { device_id: string; name: string; fingerprint_key: string; identity_key: string }
  keys(count: number): { key_id: string; key: string; signature: string }[]
}

/** Base64 without padding, as the crypto libraries of clients write it. */
export const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

export function makeDevice(name: string): TestDevice {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  let count = 0
  return {
    device: {
      device_id: `${name}-${randomBytes(4).toString('hex')}`,
      name,
      fingerprint_key: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
      identity_key: base64(randomBytes(32)),
    },
    keys: (wanted) =>
      Array.from({ length: wanted }, () => {
        const key = base64(randomBytes(32))
        return { key_id: `key${count++}`, key, signature: signed(privateKey, key) }
      }),
  }
}

const signed = (key: KeyObject, text: string): string => base64(sign(null, Buffer.from(text), key))

/** `keys` is the number of one-time keys to upload. */
export async function deviceOf(person: Person, keys = 0): Promise<TestDevice> {
  const made = makeDevice(person.username)
  await person.post('/api/v1/crypto/keys/upload', { device: made.device, one_time_keys: made.keys(keys) })
  return made
}
