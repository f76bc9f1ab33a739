import type { Context } from '../../context.ts'
import {
  copyMovedRelationships,
  deleteMovedFollows,
  findMoveTarget,
  insertMovedFollows,
  lockMovedFollowers,
  MOVE_BATCH,
  requestMovedFollows,
  type MovedFollower,
  type MoveStep,
  type MoveTarget,
} from '../../domain/relationships/moved-followers.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { block } from '../accounts/block.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'

/**
 * Job `portability.followers`: local followers of an account that has moved follow the new one instead, with the same options,
 * lists and notes; mutes and blocks of the old account apply to the new one. A follow that a block prevents stays as it is.
 * It may run twice.
 */
export async function moveFollowers(
  ctx: Context,
  { accountId: from, targetAccountId: to, after = '0' }: JobData['portability.followers'],
): Promise<void> {
  const target = await findMoveTarget(ctx, from, to)
  if (!target || target.suspended) return
  if (after === '0')
    for (const accountId of await copyMovedRelationships(ctx, from, to))
      await block(ctx, { accountId, targetAccountId: to })
  await ctx.transaction(async (tx) => {
    const followers = await lockMovedFollowers(tx, from, to, after)
    if (followers.length === 0) return
    const candidates = followers.filter((one) => one.may_follow && !one.settled)
    const needsRequest = (one: MovedFollower): boolean => target.domain !== null || target.locked || one.silenced
    await request(tx, target, { from, to, ids: idsOf(candidates.filter(needsRequest)) })
    await follow(tx, { from, to, ids: idsOf(candidates.filter((one) => !needsRequest(one))) })
    await unfollow(tx, target, { from, to, ids: idsOf(followers.filter((one) => one.settled || one.may_follow)) })
    if (followers.length === MOVE_BATCH)
      await tx.enqueue('portability.followers', {
        accountId: from,
        targetAccountId: to,
        after: followers.at(-1)?.id ?? after,
      })
  })
}

const idsOf = (followers: readonly MovedFollower[]): string[] => followers.map((one) => one.account_id)

async function request(tx: Context, target: MoveTarget, step: MoveStep): Promise<void> {
  const requests = await requestMovedFollows(tx, step)
  if (target.domain === null)
    for (const row of requests)
      await notify(tx, { type: 'follow_request', fromAccountId: row.account_id, to: [step.to] })
  else
    await federate(
      tx,
      requests.map((row) => ({
        activity: 'follow' as const,
        accountId: row.account_id,
        targetAccountId: step.to,
        followId: row.id,
      })),
    )
}

async function follow(tx: Context, step: MoveStep): Promise<void> {
  const followers = await insertMovedFollows(tx, step)
  await tx.enqueueMany(
    'fanout.merge',
    followers.map((accountId) => ({ accountId, targetAccountId: step.to })),
  )
}

async function unfollow(tx: Context, target: MoveTarget, step: MoveStep): Promise<void> {
  const follows = await deleteMovedFollows(tx, step)
  if (target.old_domain === null) return
  await federate(
    tx,
    follows.map((row) => ({
      activity: 'follow' as const,
      undo: true as const,
      accountId: row.account_id,
      targetAccountId: step.from,
      followId: row.id,
    })),
  )
}
