import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { createAddressPolicy } from '../../net/addresses.ts'
import { perServer, type Context } from '../../context.ts'
import { invalid, problemOf } from '../../lib/errors.ts'
import { message, type Message } from '../../messages/message.ts'

/** Where pushes go to and how they are encrypted, as a client sent it. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

const LONGEST_ENDPOINT = 2048
/** RFC 8291: an uncompressed point on P-256, and 16 random bytes. */
const BYTES = { p256dh: 65, auth: 16 }

const addresses = perServer((ctx) => createAddressPolicy(ctx.config.allowedPrivateAddresses))

/** Gives the target as it is stored: both keys as base64url without padding. Throws Invalid naming all that is wrong. */
export function checkTarget(ctx: Context, sent: Partial<PushTarget>): PushTarget {
  const problems: Message[] = []
  const endpoint = sent.endpoint?.trim() ?? ''
  if (endpoint === '') problems.push(problemOf('endpoint', message('blank')))
  else if (!isReachable(ctx, endpoint)) problems.push(problemOf('endpoint', message('invalid')))
  const p256dh = readKey(sent.p256dh)
  if (p256dh?.length !== BYTES.p256dh || !isOnCurve(p256dh)) problems.push(problemOf('key_p256dh', message('invalid')))
  const auth = readKey(sent.auth)
  if (auth?.length !== BYTES.auth) problems.push(problemOf('key_auth', message('invalid')))
  if (problems.length > 0 || !p256dh || !auth) throw invalid(problems)
  return { endpoint, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
}

/**
 * Whether an address can be that of a push service. https only, but for hosts that the allow list of private addresses opens.
 * Names are looked up when something is sent: the gate then refuses what is not public.
 */
function isReachable(ctx: Context, endpoint: string): boolean {
  const url = endpoint.length <= LONGEST_ENDPOINT ? URL.parse(endpoint) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    return false
  const name = url.hostname.replaceAll(/^\[|\]$|\.$/g, '')
  const address = /(^|\.)localhost$/.test(name) ? '127.0.0.1' : name
  const policy = addresses(ctx)
  if (url.protocol === 'http:') return policy.lists(address)
  return isIP(address) === 0 ? name.includes('.') : policy.allows(address)
}

/** base64url, or base64 as some libraries write it; null when it is neither. */
function readKey(text: string | undefined): Buffer | null {
  const match = /^([A-Za-z0-9+/_-]{1,200})={0,2}$/.exec(text?.trim() ?? '')
  return match ? Buffer.from(match[1] as string, 'base64url') : null
}

function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1')
    return point[0] === 4
  } catch {
    return false
  }
}
