import type { Context } from '../../context.ts'
import { findOldStatuses, listDuePolicies, markPolicyApplied } from '../../domain/statuses/cleanup-policies.ts'
import { deleteStatuses } from './delete.ts'

/** Of one account in one run, so that the deletions of one account do not hold up the deliveries of the others. */
const PER_ACCOUNT = 100
/** Statuses to look at for it, most of which may be kept. */
const INSPECTED = 2_000
/** Of all accounts in one run. */
const PER_RUN = 5_000
/** In one transaction. */
const BATCH = 20
const POLICIES = 100
/** Less than an hour, so that each hourly clean-up applies each policy. */
const MINUTES = 30

/** Clean-up task: deletes the statuses and boosts that their authors no longer want to keep. */
export async function deleteOldStatusesOfUsers(ctx: Context, now = new Date()): Promise<void> {
  let deleted = 0
  while (deleted < PER_RUN) {
    const policies = await listDuePolicies(ctx, MINUTES, POLICIES)
    for (const policy of policies) {
      const { ids, inspectedId } = await findOldStatuses(ctx, policy, { now, inspect: INSPECTED, limit: PER_ACCOUNT })
      for (let from = 0; from < ids.length; from += BATCH)
        deleted += (await deleteStatuses(ctx, ids.slice(from, from + BATCH), { by: policy.account_id })).length
      await markPolicyApplied(ctx, policy.account_id, inspectedId)
    }
    if (policies.length < POLICIES) break
  }
  if (deleted > 0) ctx.log.info({ deleted }, 'clean-up.old-statuses-of-users')
}
