import { FetchError, isRefusedAddress } from '../../net/fetch-error.ts'
import { type Context, perServer } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { withoutPort } from '../../domain/server/addresses.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../../lib/circuit-breaker.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { retryAfter } from '../../net/retry-after.ts'
import { siteOf } from '../../domain/peers/budgets.ts'
import { getSecrets } from '../../domain/server/secrets.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { findNotification } from '../../domain/notifications/list.ts'
import { findPush, payloadOf, type PushRow, rememberPush } from '../../domain/notifications/push-payload.ts'
import { deleteSubscriptionById } from '../../domain/notifications/push-subscriptions.ts'

/** Seconds. For how long push services hold a message for an absent device, and how old a sent notification may be. */
const TTL = 48 * 3600

/**
 * Requests for one account to one site within two minutes. Users choose the addresses of their subscriptions, and may have other
 * accounts that cause notifications.
 */
const MAX_REQUESTS = 300
const requestCounts = perServer(() => lruCache<string, number>({ max: 10_000, ttl: 120_000, noUpdateTTL: true }))

/** By host. Messages to a service that does not respond would keep those to the others waiting. */
const breakers = perServer(() => lruCache<string, CircuitBreaker>({ max: 1000 }))

function breakerOf(ctx: Context, host: string): CircuitBreaker {
  const known = breakers(ctx).get(host)
  if (known) return known
  const breaker = createCircuitBreaker({ failures: 8, pauseMs: 30_000 })
  breakers(ctx).set(host, breaker)
  return breaker
}

/** Seconds. For how long a service can ask to wait. */
const MAX_WAIT = 3600

/**
 * Enqueues the job again, so that the wait does not count as one of its attempts. The delay grows with each wait, whatever the
 * service asks for; the age of the notification ends them.
 */
async function wait(ctx: Context, data: JobData['push.send'], seconds: number): Promise<void> {
  const { waits = 0 } = data
  const delay = Math.min(Math.max(seconds, 10 * 2 ** waits), MAX_WAIT)
  await ctx.enqueue('push.send', { ...data, waits: waits + 1 }, { delay })
}

/**
 * Job `push.send`: sends one notification to the push service of one subscription, unless the notification is dismissed, hidden,
 * too old, repeats what was pushed lately, or is one of too many at once. Deletes a subscription that the service refuses. Waits
 * while the service is unavailable, and as it asks. Throws for other temporary errors, so that the job is retried.
 */
export async function sendPush(ctx: Context, data: JobData['push.send']): Promise<void> {
  const { subscriptionId, notificationId } = data
  const row = await findPush(ctx, subscriptionId, notificationId, TTL)
  if (!row || !(await findNotification(ctx, { accountId: row.account_id }, notificationId))) return
  const { host, hostname } = new URL(row.endpoint)
  const breaker = breakerOf(ctx, host)
  if (breaker.isUnavailable()) return wait(ctx, data, Math.ceil(breaker.msLeft() / 1000))
  const target = `${row.account_id} ${siteOf(hostname)}`
  const count = requestCounts(ctx).get(target) ?? 0
  if (count >= MAX_REQUESTS) return
  requestCounts(ctx).set(target, count + 1)
  const request = await requestOf(ctx, row)
  try {
    const { status, headers } = await ctx.fetch.request(row.endpoint, {
      ...request,
      method: 'POST',
      redirects: 0,
      maxBytes: 16_384,
      service: true,
    })
    breaker.recordSuccess()
    if (status >= 200 && status < 300) return await rememberPush(ctx, row)
    const seconds = status === 429 || status === 503 ? Math.min(retryAfter(headers), MAX_WAIT) : 0
    // A service may limit the messages to one device, which does not concern the others.
    if (status === 503) breaker.pause(seconds * 1000)
    if (seconds > 0) return await wait(ctx, data, seconds)
    if (status < 400 || status >= 500 || status === 408 || status === 429)
      throw new Error(`the push service answered ${status}`)
  } catch (error) {
    if (error instanceof FetchError && error.reason === 'timeout') breaker.recordFailure()
    if (!(error instanceof FetchError && isRefusedAddress(error))) throw error
    ctx.log.info({ err: error, subscriptionId }, 'push.address-refused')
  }
  await deleteSubscriptionById(ctx, subscriptionId)
}

async function requestOf(ctx: Context, row: PushRow): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const [{ vapid, tokenKey }, { site_contact_email: contact }] = await Promise.all([getSecrets(ctx), getSettings(ctx)])
  const { default: webpush } = await import('web-push')
  const host = withoutPort(ctx.config.webDomain)
  const { headers, body } = webpush.generateRequestDetails(
    { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } },
    payloadOf(ctx, row, tokenKey),
    {
      vapidDetails: { subject: `mailto:${contact || `webmaster@${host}`}`, ...vapid },
      TTL,
      urgency: 'normal',
      contentEncoding: row.standard ? 'aes128gcm' : 'aesgcm',
    },
  )
  // undici sets the length.
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  return { headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])), body: body as Buffer }
}
