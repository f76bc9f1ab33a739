import type { OutgoingRequest } from '../../net/gate.ts'
import { signMessage } from '../../ap/message-signatures.ts'
import { signRequest } from '../../ap/signatures.ts'
import type { Context } from '../../context.ts'
import { noteScheme, signatureScheme, type SignatureScheme } from './health.ts'

export type Sign = (request: OutgoingRequest) => Promise<Record<string, string>>
type Key = { keyId: string; privateKeyPem: string }

const signers = { 'draft-cavage': signRequest, rfc9421: signMessage } as const

/**
 * Sends a signed request in the way that its host is known to want. Refused with 401, it is sent once more, signed in the other
 * way; what was accepted is remembered. `send` makes the request, `statusOf` tells the status of its answer.
 */
export async function knock<T>(
  ctx: Context,
  address: string,
  key: Key,
  send: (sign: Sign) => Promise<T>,
  statusOf: (answer: T) => number,
): Promise<T> {
  // What is no address is refused by whoever sends.
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
  if (status < 300) await noteScheme(ctx, host, other)
  return second
}
