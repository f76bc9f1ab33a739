import type { OutgoingRequest } from '../../net/gate.ts'
import { signMessage } from '../../ap/signatures/rfc9421.ts'
import { signRequest } from '../../ap/signatures/draft-cavage.ts'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { lruCache } from '../../lib/lru-cache.ts'

export type Sign = (request: OutgoingRequest) => Promise<Record<string, string>>
export type SignatureKey = { keyId: string; privateKeyPem: string }

/** How a request is signed: in the way that most servers use, or by RFC 9421. */
type SignatureScheme = 'draft-cavage' | 'rfc9421'

/** Expires, as another process may have recorded a newer scheme. */
const schemes = perServer(() => lruCache<string, SignatureScheme>({ max: 10_000, ttl: 600_000 }))

export async function signatureScheme(ctx: Context, host: string): Promise<SignatureScheme> {
  const known = schemes(ctx).get(host)
  if (known) return known
  const row = await ctx.db.maybe<{ signature: 'rfc9421' | null }>(
    sql`select signature from peers where domain = ${host}`,
  )
  const scheme = row?.signature ?? 'draft-cavage'
  schemes(ctx).set(host, scheme)
  return scheme
}

async function recordSignatureScheme(ctx: Context, host: string, scheme: SignatureScheme): Promise<void> {
  schemes(ctx).set(host, scheme)
  const signature = scheme === 'rfc9421' ? scheme : null
  await ctx.db.run(sql`
    insert into peers (domain, signature) values (${host}, ${signature})
    on conflict (domain) do update set signature = excluded.signature`)
}

const signers = { 'draft-cavage': signRequest, rfc9421: signMessage } as const

type SignedRequest<T> = {
  address: string
  key: SignatureKey
  send: (sign: Sign) => Promise<T>
  statusOf: (answer: T) => number
}

/**
 * Sends a request, signed with the scheme that its host is known to accept. After a 401 it is sent once more with the other
 * scheme (double-knock), and the accepted scheme is recorded.
 */
export async function signedRequest<T>(ctx: Context, { address, key, send, statusOf }: SignedRequest<T>): Promise<T> {
  // `send` refuses an invalid address.
  const host = URL.parse(address)?.host ?? ''
  const signer =
    (scheme: SignatureScheme): Sign =>
    (request) =>
      signers[scheme]({ ...request, ...key })
  const usual = await signatureScheme(ctx, host)
  const first = await send(signer(usual))
  if (statusOf(first) !== 401) return first
  const other = usual === 'rfc9421' ? 'draft-cavage' : 'rfc9421'
  const second = await send(signer(other))
  const status = statusOf(second)
  if (status === 401) return first
  if (status < 300) await recordSignatureScheme(ctx, host, other)
  return second
}
