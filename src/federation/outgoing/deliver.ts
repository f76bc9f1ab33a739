import { LRUCache } from 'lru-cache'
import { activityContentType } from '../../ap/content.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { perServer, type Context } from '../../context.ts'
import { signingKey } from '../../domain/accounts/keys.ts'
import { findByInbox, refreshIfStale } from '../../actions/remote/resolve-account.ts'
import { isDomainAllowed } from '../../domain/peers/domain-policy.ts'
import { knock } from '../../domain/peers/signed-request.ts'
import { findStoredActivity } from '../../domain/peers/outbox.ts'
import { isResting, noteFailure, noteSuccess } from '../../domain/peers/health.ts'
import { hasLostInbox } from './activities/note.ts'
import type { Delivery } from '../../jobs/distribution.ts'
import { synchronizationHeader } from '../incoming/followers-synchronization.ts'

/** What is said to a delivery matters to nobody. */
const MAX_ANSWER = 64 * 1024

/** Answers that will not get better by asking again. The inbox is gone, or does not want this. */
const isFinal = (status: number): boolean =>
  status === 501 || (status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429)

/** Inboxes that were not there, of which we know lately. */
const asked = perServer(() => new LRUCache<string, true>({ max: 10_000, ttl: 3_600_000 }))

/** Has those read again whose inbox is not there: they may be gone, or have another one by now. */
async function askAfter(ctx: Context, inbox: string): Promise<void> {
  if (asked(ctx).has(inbox)) return
  asked(ctx).set(inbox, true)
  for (const account of await findByInbox(ctx, inbox)) await refreshIfStale(ctx, account)
}

/**
 * Sends one stored activity to one inbox, signed by its actor, and enqueues the one that follows it. Throws when it is to be
 * tried again: the queue does so with growing pauses, for about two days. After the last try the next one is enqueued as well.
 */
export async function deliver(
  ctx: Context,
  { activityId, inbox, followedBy = [] }: Delivery,
  _jobId?: string,
  isLastTry = false,
): Promise<void> {
  let isDone = isLastTry
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

/** The only place that sends activities. Throws when the delivery is to be retried. */
async function send(ctx: Context, activityId: string, inbox: string): Promise<void> {
  const { host } = new URL(inbox)
  if (!(await isDomainAllowed(ctx, host))) return
  if (await isResting(ctx, host)) throw new Error(`${host} did not answer lately and is left alone for a while`)
  const stored = await findStoredActivity(ctx, activityId)
  if (!stored || (await hasLostInbox(ctx, stored, inbox))) return
  const key = await signingKey(ctx, stored.account_id)
  let status: number
  try {
    const headers = {
      'content-type': activityContentType,
      ...(await synchronizationHeader(ctx, stored, inbox)),
    }
    const call = { method: 'POST', body: stored.body, headers } as const
    status = await knock(
      ctx,
      inbox,
      key,
      async (sign) => (await ctx.fetch.request(inbox, { ...call, maxBytes: MAX_ANSWER, sign })).status,
      (answer) => answer,
    )
  } catch (error) {
    // What the gate itself refuses (an address, a scheme) says nothing about the host, and will not change.
    if (error instanceof FetchError && ['address', 'scheme', 'domain', 'redirects'].includes(error.reason)) {
      ctx.log.debug({ err: error, inbox }, 'not delivered: refused')
      return
    }
    await noteFailure(ctx, host)
    throw error
  }
  if ((status >= 500 && !isFinal(status)) || status === 429) {
    await noteFailure(ctx, host)
    throw new Error(`${host} answered ${status}`)
  }
  await noteSuccess(ctx, host)
  if (status >= 200 && status < 300) return
  if (isFinal(status)) {
    ctx.log.debug({ inbox, status }, 'not delivered: the peer does not take it')
    if (status === 404 || status === 410) await askAfter(ctx, inbox)
    return
  }
  throw new Error(`${host} answered ${status}`)
}
