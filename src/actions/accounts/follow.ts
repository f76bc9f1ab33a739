import { acceptFollowAct, federate, followAct, rejectFollowAct, unfollowAct } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { refreshForViewer } from '../remote/resolve-account.ts'
import { removeFromHome } from '../timelines/fan-out.ts'
import type { Context } from '../../context.ts'
import { findAccount } from '../../domain/accounts/find.ts'
import { removeFromLists } from '../../domain/lists/lists.ts'
import { deleteNotificationsFrom } from '../../domain/notifications/list.ts'
import { isDomainAllowed } from '../../domain/peers/domain-policy.ts'
import {
  type DeletedFollow,
  type FollowOptions,
  type FollowState,
  acceptFollowRequests,
  changeFollowOptions,
  deleteFollow,
  findFollowOptions,
  insertFollow,
  isFollowing,
  isLocalToRemote,
  needsRequest,
  readFollowState,
} from '../../domain/relationships/follows.ts'
import { lockRelationship } from '../../domain/relationships/locks.ts'
import { Forbidden, NotFound, invalidRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

type FollowForm = FollowOptions & { accountId: string; targetAccountId: string }

/** Only remote accounts are `refused`, with a Reject; local accounts get an error. */
type FollowOutcome = 'following' | 'requested' | 'refused'

const FOLLOW_LIMIT = 7500
/** Accounts that may be followed for each follower, above FOLLOW_LIMIT. */
const FOLLOW_RATIO = 1.1

/**
 * Requests to follow where the target is locked or remote, or the follower is limited. Following again changes the options,
 * and sends a remote follower another Accept. Throws NotFound for missing and suspended targets, Forbidden for blocks, moved
 * and memorial accounts and oneself, Invalid above the limit.
 */
export async function follow(ctx: Context, form: FollowForm): Promise<FollowOutcome> {
  if (form.accountId === form.targetAccountId) throw new Forbidden(message('follow_self'))
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, form.accountId, form.targetAccountId)
    const state = await readFollowState(tx, form.accountId, form.targetAccountId)
    if (!state || state.target_suspended) throw new NotFound()
    if (!(await isPermitted(tx, state))) return refuseFollow(tx, state, form)
    if (state.follow_id !== null) {
      await changeFollowOptions(tx, 'follows', state.follow_id, form)
      if (state.account_domain !== null) await federateAccept(tx, state, form)
      return 'following'
    }
    if (state.request_id !== null) {
      await changeFollowOptions(tx, 'follow_requests', state.request_id, form)
      return 'requested'
    }
    const limit = reachedLimit(state)
    if (limit !== null) throw invalidRequest('follow_limit', { count: limit })
    const target = { domain: state.target_domain, locked: state.target_locked }
    if (state.account_domain === null) await refreshForViewer(tx, { id: state.target_id, domain: state.target_domain })
    return needsRequest(target, state.account_silenced) ? requestFollow(tx, state, form) : startFollow(tx, state, form)
  })
}

/** Whether `follow` would begin a follow or a request: not where there is one already. */
export async function canFollow(ctx: Context, { accountId, targetAccountId }: FollowForm): Promise<boolean> {
  const state = await readFollowState(ctx, accountId, targetAccountId)
  if (!state || hasFollow(state) || state.target_suspended || state.account_id === state.target_id) return false
  return reachedLimit(state) === null && isPermitted(ctx, state)
}

/** Whether `unfollow` would end a follow or a request. */
export async function canUnfollow(ctx: Context, { accountId, targetAccountId }: FollowForm): Promise<boolean> {
  const state = await readFollowState(ctx, accountId, targetAccountId)
  return state !== null && hasFollow(state)
}

const hasFollow = (state: FollowState): boolean => state.follow_id !== null || state.request_id !== null

async function isPermitted(tx: Context, state: FollowState): Promise<boolean> {
  const hasMoved = state.target_moved || (state.account_moved && state.account_domain === null)
  // A memorial keeps its followers, who may still change the options of their follow.
  const isClosed = state.target_memorial && state.follow_id === null
  if (state.blocked || state.account_suspended || hasMoved || isClosed) return false
  const host = state.target_domain ?? state.account_domain
  return host === null || isDomainAllowed(tx, host)
}

async function refuseFollow(tx: Context, state: FollowState, form: FollowForm): Promise<FollowOutcome> {
  if (state.account_domain === null) throw new Forbidden()
  await federate(tx, rejectFollowAct({ ...accountsOf(state), uri: form.uri ?? null }))
  return 'refused'
}

/** Null for accounts that may follow more. */
function reachedLimit(state: FollowState): number | null {
  if (state.account_domain !== null || state.following_count < FOLLOW_LIMIT) return null
  const limit = Math.max(FOLLOW_LIMIT, Math.round(state.followers_count * FOLLOW_RATIO))
  return state.following_count >= limit ? limit : null
}

const accountsOf = (state: FollowState) => ({ account_id: state.account_id, target_account_id: state.target_id })

async function requestFollow(tx: Context, state: FollowState, form: FollowForm): Promise<FollowOutcome> {
  const followId = await insertFollow(tx, 'follow_requests', accountsOf(state), form)
  if (state.target_domain === null)
    await notify(tx, { type: 'follow_request', fromAccountId: state.account_id, to: [state.target_id] })
  else if (state.account_domain === null) await federate(tx, followAct({ ...accountsOf(state), id: followId }))
  return 'requested'
}

async function startFollow(tx: Context, state: FollowState, form: FollowForm): Promise<FollowOutcome> {
  await insertFollow(tx, 'follows', accountsOf(state), form)
  await notify(tx, { type: 'follow', fromAccountId: state.account_id, to: [state.target_id] })
  if (state.account_domain === null)
    await tx.enqueue('fanout.merge', { accountId: state.account_id, targetAccountId: state.target_id })
  else await federateAccept(tx, state, form)
  return 'following'
}

async function federateAccept(tx: Context, state: FollowState, form: FollowForm): Promise<void> {
  if (state.target_domain !== null) return
  await federate(tx, acceptFollowAct({ ...accountsOf(state), uri: form.uri ?? null }))
}

/** Also cancels a follow request. Returns false when there was neither. */
export async function unfollow(
  ctx: Context,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, targetAccountId)
    const ended = await endFollow(tx, accountId, targetAccountId)
    if (!ended) return false
    if (await isLocalToRemote(tx, accountId, targetAccountId)) await federate(tx, unfollowAct(ended))
    return true
  })
}

/**
 * Deletes a follow or a request, with everything here that depends on it: endorsement, list memberships, home timeline entries,
 * notifications. Sends nothing to other servers. Null when there was neither. Call it under lockRelationship.
 */
export async function endFollow(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<DeletedFollow | null> {
  const ended = await deleteFollow(tx, accountId, targetAccountId)
  if (!ended) return null
  if (ended.accepted) await removeFromHome(tx, accountId, targetAccountId)
  await removeFromLists(tx, accountId, [targetAccountId])
  await deleteNotificationsFrom(tx, targetAccountId, [accountId], ['follow', 'follow_request'])
  return ended
}

type Request = { accountId: string; followerId: string }

/**
 * A local account is notified of its new follower; a remote follower's server receives an Accept. Returns false when there is
 * no such request.
 */
export async function authorizeFollow(ctx: Context, { accountId, followerId }: Request): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, followerId)
    if ((await acceptRequests(tx, accountId, { followerId })) === 0) return false
    const account = await findAccount(tx, accountId)
    if (account?.domain === null) await notify(tx, { type: 'follow', fromAccountId: followerId, to: [accountId] })
    return true
  })
}

/** For an account that was unlocked. Requests of limited accounts stay pending. */
export async function authorizePendingFollows(ctx: Context, accountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await acceptRequests(tx, accountId, 'not-limited')
  })
}

async function acceptRequests(
  tx: Context,
  accountId: string,
  from: Parameters<typeof acceptFollowRequests>[2],
): Promise<number> {
  const accepted = await acceptFollowRequests(tx, accountId, from)
  if (accepted.length === 0) return 0
  const followers = accepted.map((row) => row.account_id)
  await deleteNotificationsFrom(tx, accountId, followers, ['follow_request'])
  const local = accepted.filter((row) => row.domain === null)
  const remote = accepted.filter((row) => row.domain !== null)
  await tx.enqueueMany(
    'fanout.merge',
    local.map((row) => ({ accountId: row.account_id, targetAccountId: accountId })),
  )
  await federate(tx, remote.map(acceptFollowAct))
  return accepted.length
}

/** Also removes an accepted follower. Returns false when there was neither. */
export async function rejectFollow(ctx: Context, { accountId, followerId }: Request): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, followerId)
    const ended = await endFollow(tx, followerId, accountId)
    if (!ended) return false
    if (await isLocalToRemote(tx, accountId, followerId)) await federate(tx, rejectFollowAct(ended))
    return true
  })
}

/** A follow is a request again, with the same options. Does nothing without a follow. */
export async function unauthorizeFollow(ctx: Context, { accountId, followerId }: Request): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, followerId)
    const options = await findFollowOptions(tx, followerId, accountId)
    if (!options) return
    await endFollow(tx, followerId, accountId)
    await insertFollow(tx, 'follow_requests', { account_id: followerId, target_account_id: accountId }, options)
  })
}

/** Unlike rejectFollow, keeps an accepted follower. */
export async function rejectPendingFollow(ctx: Context, request: Request): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, request.accountId, request.followerId)
    const isPending = await isFollowing(tx, request.followerId, request.accountId, 'follow_requests')
    return isPending && rejectFollow(tx, request)
  })
}
