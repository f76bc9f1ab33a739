// Certificates for tests, without openssl(1), which is not installed everywhere.
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export type Certificate = { cert: string; key: string }

/** `cert` is the authority's own certificate; `issue` takes host names. */
export type Authority = { cert: string; issue(names: readonly string[]): Certificate }

export function makeAuthority(name: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = [extension('2.5.29.19', der(0x30, der(0x01, Buffer.of(0xff))))]
  return {
    cert: certify({ issuer: name, subject: name, publicKey: keys.publicKey, signWith: keys.privateKey, extensions }),
    issue(names) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = der(0x30, ...names.map((host) => der(0x82, Buffer.from(host))))
      const cert = certify({
        issuer: name,
        subject: names[0] ?? '',
        publicKey: own.publicKey,
        signWith: keys.privateKey,
        extensions: [extension('2.5.29.17', alternatives)],
      })
      return { cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    },
  }
}

type Request = { issuer: string; subject: string; publicKey: KeyObject; signWith: KeyObject; extensions: Buffer[] }

/** X.509, RFC 5280: valid from yesterday for a month. */
function certify({ issuer, subject, publicKey, signWith, extensions }: Request): string {
  const day = 86_400_000
  const ecdsaWithSha256 = der(0x30, oid('1.2.840.10045.4.3.2'))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1, ...randomBytes(8))),
    ecdsaWithSha256,
    nameOf(issuer),
    der(0x30, time(Date.now() - day), time(Date.now() + 30 * day)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, signWith))
  const body = der(0x30, content, ecdsaWithSha256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
}

const nameOf = (name: string): Buffer => der(0x30, der(0x31, der(0x30, oid('2.5.4.3'), der(0x0c, Buffer.from(name)))))

const extension = (id: string, value: Buffer): Buffer =>
  der(0x30, oid(id), der(0x01, Buffer.of(0xff)), der(0x04, value))

const time = (ms: number): Buffer => der(0x18, Buffer.from(new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')))

/** A value of DER: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((number) => {
    const digits = [number & 0x7f]
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return der(0x06, Buffer.of(first * 40 + second, ...bytes))
}
