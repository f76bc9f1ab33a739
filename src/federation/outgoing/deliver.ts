import { activityContentType } from '../../net/content-types.ts'
import { asObject } from '../../ap/normalise.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { perServer, type Context } from '../../context.ts'
import { findFormerKey, instanceKey, signingKey } from '../../domain/accounts/keys.ts'
import { refreshIfStale } from '../../actions/remote/resolve-account.ts'
import { findByInbox, isNamedElsewhere } from '../../domain/accounts/remote.ts'
import { domainPolicy } from '../../domain/peers/domain-policy.ts'
import { type SignatureKey, signedRequest } from '../../domain/peers/signed-request.ts'
import { findStoredActivity, type StoredActivity } from '../../domain/peers/activities.ts'
import { type DeliveryOutcome, metersOf } from '../../domain/server/meters.ts'
import { hostClass, isUnavailable, recordFailure, recordSuccess } from '../../domain/peers/circuit-breaker.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { hasLostInbox } from './activities/note.ts'
import { countTraffic } from '../../domain/peers/traffic.ts'
import { UNAVAILABLE } from '../../jobs/deliveries.ts'
import type { ActivityDelivery } from '../../jobs/distribution.ts'
import type { JobRun } from '../../jobs/kinds.ts'
import { synchronizationHeader } from '../followers-synchronization.ts'

/** In bytes; the body is discarded. */
const MAX_RESPONSE = 64 * 1024

/** Whether a retry cannot succeed: the inbox is gone, or rejects the activity. */
const isFinal = (status: number): boolean =>
  status === 501 || (status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429)

/** Inboxes that refused a delivery as missing within the last hour: their accounts are being refreshed. */
const refreshedInboxes = perServer(() => lruCache<string, true>({ max: 10_000, ttl: 3_600_000 }))

/** Enqueues a refresh of the accounts of a missing inbox: they may be deleted, or have another inbox now. */
async function refreshAccountsOf(ctx: Context, inbox: string, stored: StoredActivity): Promise<void> {
  if (refreshedInboxes(ctx).has(inbox)) return
  refreshedInboxes(ctx).set(inbox, true)
  for (const account of await findByInbox(ctx, inbox, subjectsOf(stored))) await refreshIfStale(ctx, account)
}

/** The ids of what an activity is about: an activity to one account names that account, or a post by it. */
function subjectsOf({ body }: StoredActivity): string[] {
  const { to, object } = JSON.parse(body) as Record<string, unknown>
  const inner = asObject(object)
  return [to, object, inner?.['actor'], inner?.['object']].filter((id) => typeof id === 'string')
}

/**
 * Job `federation.deliver`: sends one stored activity to one inbox, signed by its actor. Throws to be retried; the queue retries
 * with growing delays, for about two days. Enqueues the next activity afterwards, even when the last attempt failed.
 */
export async function deliverActivity(
  ctx: Context,
  { activityId, inbox, followedBy = [] }: ActivityDelivery,
  { isLastAttempt }: Pick<JobRun, 'isLastAttempt'>,
): Promise<void> {
  let isDone = isLastAttempt
  try {
    await send(ctx, activityId, inbox)
    isDone = true
  } finally {
    const [next, ...rest] = followedBy
    if (isDone && next !== undefined)
      await ctx.enqueue('federation.deliver', {
        activityId: next,
        inbox,
        ...(rest.length > 0 ? { followedBy: rest } : {}),
      })
  }
}

async function send(ctx: Context, activityId: string, inbox: string): Promise<void> {
  const meters = metersOf(ctx)
  const { host: peer } = new URL(inbox)
  const host = meters && hostClass(ctx, peer)
  try {
    const outcome = await attempt(ctx, activityId, inbox)
    if (outcome === 'delivered') countTraffic(ctx, peer, 'delivered')
    if (host) meters.delivery(outcome, host)
  } catch (error) {
    if (!(error instanceof Skipped)) countTraffic(ctx, peer, 'failed')
    if (host) meters.delivery(error instanceof Skipped ? 'skipped' : 'failed', host)
    throw error
  }
}

class Skipped extends FetchError {}

const isOfProfile = (stored: StoredActivity): stored is StoredActivity & { account_id: string } =>
  stored.account_id !== null && stored.topic?.kind === 'profile'

/**
 * Counts a failure for the circuit breaker, unless accounts of other servers name the inbox: they could otherwise stop deliveries
 * to any server, by an address there that fails.
 */
async function recordFailureOf(ctx: Context, inbox: string, status?: number): Promise<void> {
  if (await isNamedElsewhere(ctx, inbox)) return
  await recordFailure(ctx, new URL(inbox).host, { atOnce: status === 429 })
}

/** No other function sends activities. Throws when the delivery must be retried. */
async function attempt(ctx: Context, activityId: string, inbox: string): Promise<DeliveryOutcome> {
  const { host } = new URL(inbox)
  const { allowed, stopped } = await domainPolicy(ctx, host)
  if (!allowed || stopped) return 'refused'
  const stored = await findStoredActivity(ctx, activityId)
  if (!stored) return 'dropped'
  // A user who follows an account waits for it, and has mostly just seen its server respond.
  if (stored.type !== 'Follow' && (await isUnavailable(ctx, host)))
    throw new Skipped('network', `${host} ${UNAVAILABLE}`)
  if (await hasLostInbox(ctx, stored, inbox)) return 'dropped'
  const key = await (stored.account_id === null ? instanceKey(ctx) : signingKey(ctx, stored.account_id))
  let status: number
  try {
    status = await post(ctx, stored, key, inbox)
  } catch (error) {
    // The gate refused the request. That says nothing about the health of the host, and a retry cannot succeed.
    if (error instanceof FetchError && ['address', 'scheme', 'domain', 'redirects'].includes(error.reason)) {
      ctx.log.debug({ err: error, inbox }, 'delivery.refused')
      return 'refused'
    }
    await recordFailureOf(ctx, inbox)
    throw error
  }
  return outcomeOf(ctx, stored, inbox, status)
}

/** Returns the status of the response. */
async function post(ctx: Context, stored: StoredActivity, key: SignatureKey, inbox: string): Promise<number> {
  const headers = {
    'content-type': activityContentType,
    ...(await synchronizationHeader(ctx, stored, inbox)),
  }
  const call = { method: 'POST', body: stored.body, headers, maxBytes: MAX_RESPONSE } as const
  const deliver = (signer: SignatureKey): Promise<number> =>
    signedRequest(ctx, {
      address: inbox,
      key: signer,
      send: async (sign) => (await ctx.fetch.request(inbox, { ...call, sign })).status,
      statusOf: (status) => status,
    })
  // Servers that trust the former key learn the new one from the first request; the others refuse it, and take the second.
  const former = isOfProfile(stored) ? await findFormerKey(ctx, stored.account_id) : null
  if (former) await deliver(former)
  return deliver(key)
}

/** What the status of the response means. Throws when the delivery must be retried. */
async function outcomeOf(
  ctx: Context,
  stored: StoredActivity,
  inbox: string,
  status: number,
): Promise<'delivered' | 'rejected'> {
  const { host } = new URL(inbox)
  const isHostFailing = (status >= 500 && !isFinal(status)) || status === 429
  if (isHostFailing) await recordFailureOf(ctx, inbox, status)
  else await recordSuccess(ctx, host)
  if (status >= 200 && status < 300) return 'delivered'
  if (!isFinal(status)) throw new FetchError('status', `${host} returned status ${status}`, { status })
  ctx.log.debug({ inbox, status }, 'delivery.rejected')
  if (status === 404 || status === 410) await refreshAccountsOf(ctx, inbox, stored)
  return 'rejected'
}
