import { block } from '../accounts/block.ts'
import { federate, followAct, unfollowAct } from '../federate.ts'
import { notifyFrom } from '../notifications/notify.ts'
import { resolveActor, resolveHandle } from '../remote/resolve-account.ts'
import type { Context } from '../../context.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import {
  deleteAlias,
  findCurrentMove,
  insertAlias,
  insertMove,
  redirectTo,
  setMovedTo,
} from '../../domain/portability/moves.ts'
import { deleteNotificationsFrom } from '../../domain/notifications/list.ts'
import { needsRequest } from '../../domain/relationships/follows.ts'
import {
  MOVE_BATCH,
  type MoveStep,
  type MoveTarget,
  type MovedFollower,
  copyMovedRelationships,
  deleteMovedFollows,
  findMoveTarget,
  insertMovedFollows,
  lockMovedFollowers,
  requestMovedFollows,
} from '../../domain/relationships/moved-followers.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

type Mover = { accountId: string; userId: string; username: string }

/**
 * The target must name the account as an alias; a remote target is fetched again to check that. A job moves local followers;
 * remote ones follow after the Move activity. Throws Invalid.
 */
export async function moveAccount(ctx: Context, mover: Mover, acct: string): Promise<void> {
  const target = await findTarget(ctx, mover, acct)
  if (!target.also_known_as.includes(accountUri(ctx, mover.username)))
    throw new Invalid(message('alias_missing', { handle: `@${mover.username}@${ctx.config.localDomain}` }))
  await ctx.transaction(async (tx) => {
    const moveId = await insertMove(tx, mover.accountId, target)
    await spreadMove(tx, { accountId: mover.accountId, targetAccountId: target.id, moveId })
    // For servers that ignore a Move, or know the account and have no followers.
    await spreadActor(tx, mover)
  })
}

async function spreadMove(
  tx: Context,
  { moveId, ...accounts }: { accountId: string; targetAccountId: string; moveId: string },
): Promise<void> {
  // Servers that receive the Move fetch the actor, which must name the target by then: the job starts after the commit.
  await federate(tx, { activity: 'move', ...accounts, moveId })
  await tx.enqueue('portability.followers', accounts)
}

/** Sends the move again, for followers that did not move along. False for an account that has not moved. */
export const repeatMove = (ctx: Context, accountId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const move = await findCurrentMove(tx, accountId)
    if (move?.target_account_id)
      await spreadMove(tx, { accountId, targetAccountId: move.target_account_id, moveId: move.id })
    return move !== null
  })

async function findTarget(ctx: Context, mover: Mover, acct: string): Promise<AccountRow> {
  const known = await resolveHandle(ctx, acct)
  // The stored actor may be older than the alias.
  const target = known?.uri ? await resolveActor(ctx, known.uri, { refresh: true }) : known
  if (!target || target.suspended_at) throw new Invalid(message('account_unreachable'))
  if (target.id === mover.accountId) throw new Invalid(message('account_own'))
  if (target.moved_to_id !== null) throw new Invalid(message('account_has_moved'))
  return target
}

/** Shows another account as the new one, which need not agree, as no follower moves. Throws Invalid. */
export async function redirectAccount(ctx: Context, mover: Mover, acct: string): Promise<void> {
  const target = await findTarget(ctx, mover, acct)
  await ctx.transaction(async (tx) => {
    await redirectTo(tx, mover.accountId, target.id)
    await spreadActor(tx, mover)
  })
}

/** Former followers do not return, but their servers learn of it. */
export async function undoMove(ctx: Context, mover: Mover): Promise<void> {
  await ctx.transaction(async (tx) => {
    const move = await findCurrentMove(tx, mover.accountId)
    if (await setMovedTo(tx, mover.accountId, null)) await spreadActor(tx, mover, move?.id)
  })
}

async function spreadActor(tx: Context, { accountId, userId }: Mover, undoneMoveId?: string): Promise<void> {
  await federate(tx, { activity: 'update-actor', accountId, ...(undoneMoveId === undefined ? {} : { undoneMoveId }) })
  tx.publish({ type: 'user.changed', userId })
}

/** The caller has checked the alias. May run twice. */
export async function recordMove(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setMovedTo(tx, accountId, targetAccountId)
    await tx.enqueue('portability.followers', { accountId, targetAccountId })
  })
}

/** Job `federation.moved-to`: shows where a remote account redirects. No follower moves. */
export async function fetchMovedTo(ctx: Context, { accountId, uri }: JobData['federation.moved-to']): Promise<void> {
  const target = await resolveActor(ctx, uri, { retried: true, alone: true })
  if (target && target.id !== accountId) await setMovedTo(ctx, accountId, target.id)
}

/** An alias is another account of the same user, who may move from it to this one. Throws Invalid for an unknown account. */
export async function addAlias(ctx: Context, accountId: string, acct: string): Promise<void> {
  const other = await resolveHandle(ctx, acct)
  if (!other || other.suspended_at) throw new Invalid(message('account_missing'))
  if (other.id === accountId) throw new Invalid(message('account_own'))
  const uri = other.uri ?? accountUri(ctx, other.username)
  await ctx.transaction(async (tx) => {
    if (await insertAlias(tx, accountId, uri)) await federate(tx, { activity: 'update-actor', accountId })
  })
}

/** Ignores unknown aliases. */
export async function removeAlias(ctx: Context, accountId: string, uri: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (await deleteAlias(tx, accountId, uri)) await federate(tx, { activity: 'update-actor', accountId })
  })
}

/**
 * Job `portability.followers`: local followers of a moved account follow the new one instead, with the same options, lists
 * and notes; mutes and blocks of the old account apply to the new one. A follow that a block prevents stays as it is. May run
 * twice.
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
    const candidates = followers.filter((follower) => follower.may_follow && !follower.settled)
    const mustAsk = (follower: MovedFollower): boolean => needsRequest(target, follower.silenced)
    await requestTarget(tx, target, { from, to, ids: idsOf(candidates.filter(mustAsk)) })
    await followTarget(tx, { from, to, ids: idsOf(candidates.filter((follower) => !mustAsk(follower))) })
    await unfollowOrigin(tx, target, {
      from,
      to,
      ids: idsOf(followers.filter((follower) => follower.settled || follower.may_follow)),
    })
    if (followers.length === MOVE_BATCH)
      await tx.enqueue('portability.followers', {
        accountId: from,
        targetAccountId: to,
        after: followers.at(-1)?.id ?? after,
      })
  })
}

const idsOf = (followers: readonly MovedFollower[]): string[] => followers.map((follower) => follower.account_id)

async function requestTarget(tx: Context, target: MoveTarget, step: MoveStep): Promise<void> {
  const requests = await requestMovedFollows(tx, step)
  const ids = requests.map((row) => row.account_id)
  if (target.domain === null) await notifyFrom(tx, ids, { type: 'follow_request', to: [step.to] })
  else
    await federate(
      tx,
      requests.map((row) => followAct({ ...row, target_account_id: step.to })),
    )
}

async function followTarget(tx: Context, step: MoveStep): Promise<void> {
  const followers = await insertMovedFollows(tx, step)
  await tx.enqueueMany(
    'fanout.merge',
    followers.map((accountId) => ({ accountId, targetAccountId: step.to })),
  )
}

async function unfollowOrigin(tx: Context, target: MoveTarget, step: MoveStep): Promise<void> {
  const follows = await deleteMovedFollows(tx, step)
  await deleteNotificationsFrom(tx, step.from, step.ids, ['follow'])
  if (target.old_domain === null) return
  await federate(
    tx,
    follows.map((row) => unfollowAct({ ...row, target_account_id: step.from })),
  )
}
