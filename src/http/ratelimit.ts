import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Caller } from '../domain/auth/viewer.ts'
import { canonicalEmailHash } from '../domain/registration/canonical-email-blocks.ts'
import { TooMany } from '../lib/errors.ts'
import { countUse, type Limit, returnUse, type Use } from './rate-limit-leases.ts'

const MINUTE = 60
const HOUR = 3600

/** Uses per duration (seconds), by user, token or address. Mastodon's limits where it has them. */
const LIMITS = {
  'per user': { points: 1500, duration: 5 * MINUTE },
  'per token': { points: 300, duration: 5 * MINUTE },
  'per address': { points: 300, duration: 5 * MINUTE },
  // Pages, documents and streams without a limit of their own.
  other: { points: 3000, duration: 5 * MINUTE },
  // Further pages of lists by anonymous clients.
  paging: { points: 300, duration: 15 * MINUTE },
  // A request with an invalid signature may have made this server fetch a key.
  signatures: { points: 300, duration: 5 * MINUTE },
  apps: { points: 20, duration: 10 * MINUTE },
  media: { points: 30, duration: 30 * MINUTE },
  'media-proxy': { points: 30, duration: 10 * MINUTE },
  // Pages show dozens of emojis, and players request video part by part.
  'emoji-proxy': { points: 600, duration: 10 * MINUTE },
  'video-proxy': { points: 300, duration: 10 * MINUTE },
  deletes: { points: 30, duration: 30 * MINUTE },
  'sign-up': { points: 5, duration: 30 * MINUTE },
  'sign-in': { points: 25, duration: 5 * MINUTE },
  // No password can be guessed there, and a whole organisation may share an address.
  'provider-sign-in': { points: 300, duration: 5 * MINUTE },
  'second-step': { points: 10, duration: 15 * MINUTE },
  // Texts that were not translated before: services cost money, or take seconds.
  translations: { points: 100, duration: HOUR },
  // Each job sends up to some hundred requests to other servers.
  'thread-fetches': { points: 200, duration: HOUR },
  exports: { points: 20, duration: HOUR },
  imports: { points: 10, duration: HOUR },
  aliases: { points: 10, duration: HOUR },
  moves: { points: 10, duration: HOUR },
  appeals: { points: 10, duration: HOUR },
  mail: { points: 25, duration: 5 * MINUTE },
  'mail-address': { points: 5, duration: 30 * MINUTE },
  // Each sends a mail to an address that anyone may enter: by IP address, by account, and by the address of the mail.
  subscriptions: { points: 10, duration: 30 * MINUTE },
  'subscriptions-of-account': { points: 100, duration: HOUR },
  'subscriptions-of-address': { points: 5, duration: 24 * HOUR },
  // Each change goes to the servers of all followers, and may have all posts indexed again.
  profile: { points: 100, duration: HOUR },
  // Pins, featured hashtags and collections: each change goes to the servers of all followers.
  featured: { points: 300, duration: HOUR },
  // Each change of exclusive lists, followed hashtags and blocked domains has the home timeline built again.
  home: { points: 300, duration: HOUR },
  // Each leaves a job that waits until the mute ends, and all waiting jobs are looked at every few seconds.
  'timed-mutes': { points: 100, duration: HOUR },
  follows: { points: 400, duration: 24 * HOUR },
  statuses: { points: 300, duration: 3 * HOUR },
  source: { points: 5, duration: 30 * MINUTE },
  // One-time keys of a local account, by account and by server: a device without keys cannot begin a session.
  'key-claims': { points: 30, duration: HOUR },
  'key-claims-of-server': { points: 120, duration: HOUR },
  // Activities of a remote account that are forwarded, each to up to a thousand servers.
  forwards: { points: 300, duration: HOUR },
  // Each asks auxiliary service providers, and fetches the accounts that they find.
  'fasp-questions': { points: 100, duration: HOUR },
  // Each waits for an administrator.
  'fasp-registrations': { points: 10, duration: HOUR },
  reports: { points: 400, duration: 24 * HOUR },
} as const

export type LimitName = keyof typeof LIMITS

/** Null when rate limits are off. */
async function consume(ctx: Context, name: LimitName, key: string): Promise<Use | null> {
  return ctx.config.rateLimits ? countUse(ctx, limitOf(name), key) : null
}

const namedLimits = new Map(Object.entries(LIMITS).map(([name, limit]) => [name, { name, ...limit }]))
const limitOf = (name: LimitName): Limit => namedLimits.get(name) as Limit

/**
 * Counts a request against the general limits, and `own`, that of its route. The headers report `own` if there is one, otherwise
 * the tightest. Throws TooMany.
 */
export async function limitRequest(
  ctx: Context,
  { caller, request, reply }: { caller: Caller | null; request: FastifyRequest; reply: FastifyReply },
  own?: LimitName,
): Promise<void> {
  if (!ctx.config.rateLimits) return
  const address = addressKey(request.ip)
  const userId = caller?.token.userId ?? null
  const uses = usesOf(caller, address)
  if (userId === null && (isPaging(request.query) || isPaging(request.body))) uses.push(['paging', address])
  if (own) uses.push([own, own === 'sign-up' ? address : (userId ?? address)])
  let tightest: { limit: number; result: Use } | null = null
  for (const [name, key] of uses) {
    const result = await consume(ctx, name, key)
    if (result && (name === own || !tightest || result.remaining < tightest.result.remaining))
      tightest = { limit: LIMITS[name].points, result }
    if (result && !result.isAllowed) {
      setHeaders(reply, LIMITS[name].points, result)
      throw tooMany(result)
    }
  }
  if (tightest) setHeaders(reply, tightest.limit, tightest.result)
}

function usesOf(caller: Caller | null, address: string): [LimitName, string][] {
  const userId = caller?.token.userId ?? null
  // Every client can register applications and get tokens for them, so tokens without a user count by address.
  const owner: [LimitName, string] = userId === null ? ['per address', address] : ['per user', userId]
  return caller ? [['per token', caller.token.id], owner] : [owner]
}

/** Counts a request that takes much work once more for each of `more`. Never throws: the request itself was allowed. */
export async function countWork(
  ctx: Context,
  { caller, request }: { caller: Caller | null; request: FastifyRequest },
  more: number,
): Promise<void> {
  for (const [name, key] of usesOf(caller, addressKey(request.ip)))
    for (let i = 0; i < more; i++) await consume(ctx, name, key)
}

const tooMany = ({ msBeforeNext }: Use): TooMany => new TooMany(undefined, Math.max(1, Math.ceil(msBeforeNext / 1000)))

/** Throws TooMany over the limit. */
export async function limitUse(ctx: Context, name: LimitName, key: string): Promise<void> {
  const result = await consume(ctx, name, key)
  if (result && !result.isAllowed) throw tooMany(result)
}

/** Call it before a request for a subscription by mail. All spellings of an address count together. Throws TooMany. */
export async function limitSubscription(ctx: Context, ip: string, accountId: string, email: string): Promise<void> {
  await limitUse(ctx, 'subscriptions', addressKey(ip))
  await limitUse(ctx, 'subscriptions-of-account', accountId)
  await limitUse(ctx, 'subscriptions-of-address', canonicalEmailHash(email))
}

/** As limitUse, for what can be left out: returns false over the limit. */
export async function isWithinLimit(ctx: Context, name: LimitName, key: string): Promise<boolean> {
  return (await consume(ctx, name, key))?.isAllowed ?? true
}

/** For requests that have no limit of their own: pages, ActivityPub documents, streams. Throws TooMany. */
export async function limitOther(ctx: Context, request: Pick<FastifyRequest, 'ip' | 'query'>): Promise<void> {
  const address = addressKey(request.ip)
  await limitUse(ctx, 'other', address)
  if (isPaging(request.query)) await limitUse(ctx, 'paging', address)
}

/**
 * Counts a use before `work`, so that parallel requests get no further attempts, and takes it off again when `work` succeeds.
 * Throws TooMany.
 */
export async function limitFailures<T>(ctx: Context, name: LimitName, key: string, work: () => Promise<T>): Promise<T> {
  await limitUse(ctx, name, key)
  const result = await work()
  if (ctx.config.rateLimits) returnUse(ctx, limitOf(name), key)
  return result
}

function isPaging(query: unknown): boolean {
  const asked = (query ?? {}) as Record<string, unknown>
  return ['max_id', 'min_id', 'since_id', 'page'].some((name) => asked[name] !== undefined && asked[name] !== '')
}

function setHeaders(reply: FastifyReply, limit: number, result: Use): void {
  void reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', result.remaining)
    .header('x-ratelimit-reset', new Date(Date.now() + result.msBeforeNext).toISOString())
}

/** IPv6 addresses count by their /64, the network of one household. */
export function addressKey(ip: string): string {
  return ip.includes(':') && !ip.includes('.') ? expand(ip).slice(0, 4).join(':') : ip
}

function expand(ip: string): string[] {
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  return [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
}
