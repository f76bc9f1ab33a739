// A device and its push service: receives on loopback, and decrypts as a browser does.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { eventually } from './server.ts'

export type Push = { path: string; method: string; headers: IncomingHttpHeaders; body: Buffer }

export type PushService = {
  url: string
  received: Push[]
  at(index: number): Promise<Push>
  /** For further responses; 201 by default, and 0 for none. */
  answerWith(status: number, headers?: Record<string, string>): void
  stop(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const received: Push[] = []
  let status = 201
  let answerHeaders: Record<string, string> = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request
      received.push({ path, method, headers, body: Buffer.concat(chunks) })
      if (status > 0) response.writeHead(status, answerHeaders).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    at: (index) => eventually(async () => received[index]),
    answerWith(next, headers = {}) {
      status = next
      answerHeaders = headers
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export type Device = { keys: { p256dh: string; auth: string }; open(push: Push): any }

export function makeDevice(): Device {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: own.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    open(push) {
      const open = push.headers['content-encoding'] === 'aes128gcm' ? openStandard : openDraft
      return JSON.parse(open(own, auth, push).toString())
    },
  }
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}

/** RFC 8291: salt, record size and the sender's key precede the only record. */
function openStandard(own: ECDH, auth: Buffer, { body }: Push): Buffer {
  const [salt, size, theirs, sealed] = [
    body.subarray(0, 16),
    body.readUInt32BE(16),
    body.subarray(21, 86),
    body.subarray(86),
  ]
  if (body[20] !== 65 || sealed.length > size) throw new Error('the message is not a single record with a key')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs])
  const secret = derive(own.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const padded = decrypt(key, derive(secret, salt, 'Content-Encoding: nonce\0', 12), sealed)
  const end = padded.lastIndexOf(2)
  if (padded.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error('the padding of the last record is malformed')
  return padded.subarray(0, end)
}

/** draft-ietf-webpush-encryption-04: salt and the sender's key are in headers. */
function openDraft(own: ECDH, auth: Buffer, { headers, body }: Push): Buffer {
  const salt = Buffer.from(parameter(headers['encryption'], 'salt'), 'base64url')
  const theirs = Buffer.from(parameter(headers['crypto-key'], 'dh'), 'base64url')
  const withLength = (point: Buffer): Buffer => Buffer.concat([Buffer.from([0, point.length]), point])
  const context = Buffer.concat([Buffer.from('P-256\0'), withLength(own.getPublicKey()), withLength(theirs)])
  const secret = derive(own.computeSecret(theirs), auth, 'Content-Encoding: auth\0', 32)
  const info = (purpose: string): Buffer => Buffer.concat([Buffer.from(`Content-Encoding: ${purpose}\0`), context])
  const padded = decrypt(derive(secret, salt, info('aesgcm'), 16), derive(secret, salt, info('nonce'), 12), body)
  return padded.subarray(2 + padded.readUInt16BE(0))
}

/** A value in a header such as `dh=…;p256ecdsa=…` or `vapid t=…, k=…`. */
export function parameter(header: unknown, name: string): string {
  const value = new RegExp(`(?:^|[;,\\s])${name}=([^;,\\s]+)`).exec(String(header))?.[1]
  if (value === undefined) throw new Error(`there is no ${name} in ${String(header)}`)
  return value
}

/** The claims of a VAPID token (RFC 8292). Throws unless it is signed with the key. */
export function openVapid(token: string, serverKey: string): Record<string, unknown> {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(serverKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const key = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    throw new Error('the token is not signed with the key')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
}
