import type { Context } from '../../context.ts'
import { type StoreOptions, insertActivities, lockSubject } from '../../domain/peers/activities.ts'
import type { ActKind, Prepare } from './activities/outgoing.ts'
import { outgoingActivities } from './activities/table.ts'
import { inboxesOf } from './recipients.ts'
import type { FederatedAct } from '../../jobs/distribution.ts'
import type { JobRun } from '../../jobs/kinds.ts'

/**
 * Job `federation.distribute`: renders the activity of an act and queues its deliveries. Drops an act that was undone meanwhile.
 */
export const distribute = (ctx: Context, act: FederatedAct, { jobId }: JobRun): Promise<void> =>
  ctx.transaction(async (tx) => {
    // Another act must not be stored between reading the rows and storing this one, which would replace it.
    const subject = subjectOf(act)
    if (subject !== null) await lockSubject(tx, subject)
    const prepare = outgoingActivities[act.activity] as Prepare<ActKind>
    const outgoing = await prepare(tx, act, jobId)
    if (!outgoing) return
    const { accountId, activity, to, withdrawn, ...options } = outgoing
    const inboxes = await inboxesOf(tx, to)
    await queueDeliveries(tx, accountId, { activity, inboxes, ...options })
    if (!withdrawn) return
    const hosts = new Set(inboxes.map((inbox) => new URL(inbox).host))
    const former = (await inboxesOf(tx, withdrawn.to)).filter((inbox) => !hosts.has(new URL(inbox).host))
    await queueDeliveries(tx, accountId, { activity: withdrawn.activity, inboxes: former })
  })

/** Acts of which one may replace the activity of the other have the same subject. */
function subjectOf(act: FederatedAct): string | null {
  if (act.activity === 'request' && (act.interaction === 'reply' || act.interaction === 'announce')) return act.id
  if ('statusId' in act && act.activity !== 'like') return act.statusId
  if ('targetAccountId' in act) return `${act.accountId} ${act.targetAccountId}`
  return 'accountId' in act ? act.accountId : null
}

type Deliveries = StoreOptions & { activity: Record<string, unknown>; inboxes: readonly string[] }

/** Stores a rendered activity and queues one delivery per inbox. Deliveries are retried, so they may arrive in any order. */
export async function queueDeliveries(
  ctx: Context,
  accountId: string | null,
  { activity, inboxes, followedBy = [], ...options }: Deliveries,
): Promise<void> {
  // Without inboxes, the activity only replaces undelivered ones about its topic.
  if (inboxes.length === 0 && !options.topic) return
  await ctx.transaction(async (tx) => {
    const activities = inboxes.length === 0 ? [] : [activity, ...followedBy]
    const [activityId, ...rest] = (await insertActivities(tx, accountId, activities, options)) ?? []
    if (activityId === undefined) return
    await tx.enqueueMany(
      'federation.deliver',
      inboxes.map((inbox) => ({ activityId, inbox, ...(rest.length > 0 ? { followedBy: rest } : {}) })),
    )
  })
}
