import type { Context } from '../../context.ts'
import {
  findOldStatuses,
  listDuePolicies,
  markPolicyApplied,
  stillDeletable,
  type DuePolicy,
} from '../../domain/statuses/cleanup-policies.ts'
import { lockStatuses } from '../../domain/statuses/delete.ts'
import { deleteStatuses } from './delete.ts'

/** Deletions for one account in one run: more would hold up the deliveries of other accounts. */
const PER_ACCOUNT = 100
/** Statuses of one account that one run examines: a policy may keep most of them. */
const INSPECTED = 2_000
/** Deletions for all accounts in one run. */
const PER_RUN = 5_000
/** Deletions in one transaction. */
const BATCH = 20
const POLICIES = 100
/** A policy is due again after so many minutes: less than an hour, so that each hourly clean-up applies each policy. */
const MINUTES = 30

/** Clean-up task: deletes the statuses and boosts that their authors no longer want to keep. */
export async function deleteOldStatusesOfUsers(ctx: Context, now = new Date()): Promise<void> {
  let deleted = 0
  while (deleted < PER_RUN) {
    const policies = await listDuePolicies(ctx, MINUTES, POLICIES)
    for (const policy of policies) deleted += await applyPolicy(ctx, policy, now)
    if (policies.length < POLICIES) break
  }
  if (deleted > 0) ctx.log.info({ deleted }, 'clean-up.old-statuses-of-users')
}

/** The policy counts as applied even when this fails. Otherwise its account would come first in every run. */
async function applyPolicy(ctx: Context, policy: DuePolicy, now: Date): Promise<number> {
  const { account_id: authorId } = policy
  let { inspected_id: nextId } = policy
  let deleted = 0
  try {
    const { ids, inspectedId } = await findOldStatuses(ctx, policy, { now, inspect: INSPECTED, limit: PER_ACCOUNT })
    for (let from = 0; from < ids.length; from += BATCH)
      deleted += await deleteBatch(ctx, authorId, { ids: ids.slice(from, from + BATCH), now })
    nextId = inspectedId
  } catch (error) {
    ctx.log.warn({ err: error, accountId: authorId }, 'clean-up.old-statuses-failed')
  }
  await markPolicyApplied(ctx, authorId, nextId)
  return deleted
}

const deleteBatch = (ctx: Context, authorId: string, batch: { ids: readonly string[]; now: Date }): Promise<number> =>
  ctx.transaction(async (tx) => {
    // Locked and examined again, so that no status is deleted that its author bookmarks, favourites or pins just then.
    await lockStatuses(tx, batch.ids, authorId)
    const ids = await stillDeletable(tx, authorId, batch)
    return (await deleteStatuses(tx, ids, { authorId })).length
  })
