import type { OutgoingRequest } from '../../net/gate.ts'
import { signMessage } from '../../ap/signatures/rfc9421.ts'
import { signRequest } from '../../ap/signatures/draft-cavage.ts'
import type { Context } from '../../context.ts'
import { recordSignatureScheme, signatureScheme, type SignatureScheme } from './health.ts'

export type Sign = (request: OutgoingRequest) => Promise<Record<string, string>>
export type SignatureKey = { keyId: string; privateKeyPem: string }

const signers = { 'draft-cavage': signRequest, rfc9421: signMessage } as const

/**
 * Sends a request, signed with the scheme that its host is known to accept. After a 401 it is sent once more with the other
 * scheme (double-knock), and the accepted scheme is recorded. `send` makes the request, `statusOf` reads the response's status.
 */
export async function signedRequest<T>(
  ctx: Context,
  address: string,
  key: SignatureKey,
  send: (sign: Sign) => Promise<T>,
  statusOf: (answer: T) => number,
): Promise<T> {
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
