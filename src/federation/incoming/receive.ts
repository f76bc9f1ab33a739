import { type Activity, parseActivity } from '../../ap/activity.ts'
import { isSameHost, urlOf } from '../../ap/normalise.ts'
import { WebfingerError } from '../../domain/peers/webfinger.ts'
import type { Context } from '../../context.ts'
import { refreshIfStale } from '../../actions/remote/resolve-account.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { findRemoteAccount } from '../../domain/accounts/remote.ts'
import { findIncoming, finishIncoming } from '../../domain/peers/activities.ts'
import { metersOf } from '../../domain/server/meters.ts'
import { findStatusByUri } from '../../domain/statuses/find.ts'
import type { JobData, ReceivedActivity } from '../../jobs/kinds.ts'
import { causedBy, newCause } from '../../lib/cause.ts'
import { AppError } from '../../lib/errors.ts'
import { countsWhileSuspended, type Handler, type Incoming } from './activities/incoming.ts'
import { incomingActivities } from './activities/table.ts'
import { nextPriority } from './fair-share.ts'
import { findForwardings, forward } from './forward.ts'
import { waitForBurst } from './store.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'

/** Seconds until an activity of a batch is tried again. */
const RETRY_DELAY = 10

/**
 * Job `federation.receive`. Activities that may succeed later are retried without the rest of their batch: a single one by
 * throwing, others in jobs of their own.
 */
export async function receiveActivities(ctx: Context, data: JobData['federation.receive']): Promise<void> {
  await waitForBurst(ctx)
  const activities = 'batch' in data ? data.batch : [data]
  const rows = await Promise.all(activities.map(({ id }) => findIncoming(ctx, id)))
  const inOrder = sequences()
  const outcomes = await Promise.allSettled(
    rows.map(async (row, i) => {
      if (!row) return
      const json: unknown = JSON.parse(row.body)
      const activity = parseActivity(json, row.actor_uri)
      const received = { json, activity, signerUri: row.actor_uri }
      await inOrder(keysOf(activity), () =>
        causedBy(activities[i]?.cause ?? newCause(), () => receiveActivity(ctx, received)),
      )
      await finishIncoming(ctx, row.id)
    }),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const activity = activities[i]
    if (outcome.status === 'fulfilled' || !activity) continue
    if (activities.length === 1) throw outcome.reason
    ctx.log.warn({ err: outcome.reason as unknown, activity: activity.id }, 'activity.retried')
    await retryAlone(ctx, activity, new URL(rows[i]?.actor_uri ?? '').host)
  }
}

const retryAlone = (ctx: Context, activity: ReceivedActivity, host: string): Promise<void> =>
  ctx.enqueue('federation.receive', activity, { delay: RETRY_DELAY, priority: nextPriority(ctx, host) })

type Received = { json: unknown; activity: Activity | null; signerUri: string }

/** Throws when a retry may succeed, and drops an invalid activity. */
async function receiveActivity(ctx: Context, { json, activity, signerUri }: Received): Promise<void> {
  const signer = await findRemoteAccount(ctx, signerUri)
  const handle = activity && handlerOf(activity.type)
  let outcome: 'processed' | 'ignored' | 'failed' = 'processed'
  if (signer && handle && (await mayAct(ctx, signer, activity))) {
    try {
      await handleAndForward(ctx, handle, { activity, actor: signer, forwarded: activity.actor !== signerUri }, json)
    } catch (error) {
      if (!isFinal(error)) throw error
      ctx.log.debug({ err: error, activity: activity.id, type: activity.type }, 'activity.dropped')
      outcome = 'failed'
    }
    await refreshIfStale(ctx, signer)
  } else {
    outcome = 'ignored'
    ctx.log.debug({ type: activity?.type, actor: signerUri }, 'activity.ignored')
  }
  metersOf(ctx)?.received(handle ? activity.type : 'other', outcome)
}

/** Whether the activity counts: a suspended account can add no new posts. */
async function mayAct(ctx: Context, signer: AccountRow, activity: Activity): Promise<boolean> {
  if (signer.suspended_at === null) return true
  if (!countsWhileSuspended(activity, signer.uri ?? '')) return false
  return activity.type !== 'Update' || (await findStatusByUri(ctx, activity.objectId ?? '')) !== null
}

async function handleAndForward(ctx: Context, handle: Handler, incoming: Incoming, json: unknown): Promise<void> {
  // A Delete removes the rows that name the recipients, and a Create inserts them.
  const before = incoming.activity.type === 'Create' ? [] : await findForwardings(ctx, incoming, json)
  await handle(ctx, incoming)
  const forwardings = before.length > 0 ? before : await findForwardings(ctx, incoming, json)
  for (const forwarding of forwardings) await forward(ctx, forwarding)
}

/** The activity, and the objects that it changes: those of the actor's own server. */
function keysOf(activity: Activity | null): string[] {
  if (activity === null) return []
  const { id, actor, objects } = activity
  const changed = objects.map(urlOf).filter((uri) => uri !== null && isSameHost(uri, actor))
  return [id, ...changed].filter((key) => key !== null)
}

/** Returns a function that runs tasks with a common key one after the other, and others at once. */
function sequences(): <T>(keys: readonly string[], task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (keys, task) => {
    const earlier = keys.flatMap((key) => last.get(key) ?? [])
    const result = earlier.length === 0 ? task() : Promise.allSettled(earlier).then(task)
    for (const key of keys) last.set(key, result)
    return result
  }
}

// The type comes from another server: it may be `constructor`.
const handlerOf = (type: string): Handler | undefined =>
  Object.hasOwn(incomingActivities, type) ? incomingActivities[type] : undefined

function isFinal(error: unknown): boolean {
  if (error instanceof AppError) return error.status < 500
  return error instanceof WebfingerError || (error instanceof FetchError && !isTemporary(error))
}
