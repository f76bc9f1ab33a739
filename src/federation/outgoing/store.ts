import type { Context } from '../../context.ts'
import { insertActivities, type StoreOptions } from '../../domain/peers/outbox.ts'

/** Stores a rendered activity and queues one delivery per inbox. Deliveries are retried, so they may arrive in any order. */
export async function storeActivity(
  ctx: Context,
  accountId: string,
  activity: Record<string, unknown>,
  inboxes: readonly string[],
  { followedBy = [], ...options }: StoreOptions = {},
): Promise<void> {
  // Without inboxes, the activity only replaces those that wait about its topic.
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
