import type { Context } from '../../context.ts'
import { federate } from '../federate.ts'
import { findAccount } from '../../domain/accounts/find.ts'
import { deleteNotificationsFrom } from '../../domain/notifications/remove.ts'
import { acceptFollowRequests, isFollowing } from '../../domain/relationships/follows.ts'
import { isToRemote, lockRelationship } from '../../domain/relationships/relationship.ts'
import { notify } from '../notifications/notify.ts'
import { endFollow } from './follow.ts'

type Request = { accountId: string; followerId: string }

/**
 * Accepts a request to follow `accountId`. A local account is notified of its new follower, and a remote follower's server
 * receives an Accept. False when there is no such request.
 */
export async function authorizeFollow(ctx: Context, { accountId, followerId }: Request): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, followerId)
    if ((await accept(tx, accountId, { followerId })) === 0) return false
    const account = await findAccount(tx, accountId)
    if (account?.domain === null) await notify(tx, { type: 'follow', fromAccountId: followerId, to: [accountId] })
    return true
  })
}

/** Accepts all requests but those of limited accounts: the account is no longer locked. */
export async function authorizeAll(ctx: Context, accountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await accept(tx, accountId, 'unlimited-accounts')
  })
}

async function accept(
  tx: Context,
  accountId: string,
  from: Parameters<typeof acceptFollowRequests>[2],
): Promise<number> {
  const accepted = await acceptFollowRequests(tx, accountId, from)
  if (accepted.length === 0) return 0
  const followers = accepted.map((row) => row.account_id)
  await deleteNotificationsFrom(tx, accountId, followers, ['follow_request'])
  const [local, remote] = [accepted.filter((row) => row.domain === null), accepted.filter((row) => row.domain !== null)]
  await tx.enqueueMany(
    'fanout.merge',
    local.map((row) => ({ accountId: row.account_id, targetAccountId: accountId })),
  )
  await federate(
    tx,
    remote.map((row) => ({
      activity: 'answer-follow' as const,
      accepted: true,
      accountId,
      targetAccountId: row.account_id,
      followUri: row.uri,
    })),
  )
  return accepted.length
}

/** Rejects a request, or removes a follower. False when there was neither. */
export async function rejectFollow(ctx: Context, { accountId, followerId }: Request): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, followerId)
    const ended = await endFollow(tx, followerId, accountId)
    if (!ended) return false
    if (await isToRemote(tx, accountId, followerId))
      await federate(tx, {
        activity: 'answer-follow',
        accepted: false,
        accountId,
        targetAccountId: followerId,
        followUri: ended.uri,
      })
    return true
  })
}

/** As rejectFollow, for requests only: an accepted follower stays. */
export async function rejectRequest(ctx: Context, request: Request): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, request.accountId, request.followerId)
    const isPending = await isFollowing(tx, request.followerId, request.accountId, 'follow_requests')
    return isPending && rejectFollow(tx, request)
  })
}
