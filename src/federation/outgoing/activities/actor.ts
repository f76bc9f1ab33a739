import type { Context } from '../../../context.ts'
import { findMove } from '../../../domain/portability/moves.ts'
import { findBlockers } from '../../../domain/relationships/blocks.ts'
import { findReporters } from '../../../domain/reports/reports.ts'
import { findRecentlyFollowed, findRecentlyMentioned } from '../../../domain/statuses/audience.ts'
import { findAccountUri, usernameOf } from '../../ids.ts'
import type { Prepare } from './outgoing.ts'
import { renderDeleteActor, renderMove, renderUpdateActor } from '../render/activity.ts'
import { renderActor } from '../render/actor.ts'

export const prepareActorUpdate: Prepare<'update-actor'> = async (ctx, { accountId, undoneMoveId }, jobId) => {
  const username = await usernameOf(ctx, accountId)
  const actor = username === null ? null : await renderActor(ctx, accountId)
  if (username === null || !actor) return null
  // An account that is suspended for its mentions may have no followers. The servers that reported it learn the outcome.
  const others = [findRecentlyMentioned, findRecentlyFollowed, findReporters].map((find) => find(ctx, accountId))
  const move = undoneMoveId === undefined ? null : await findMove(ctx, undoneMoveId)
  if (move) others.push(findMoveRecipients(ctx, accountId, move.target_account_id))
  return {
    accountId,
    activity: renderUpdateActor(ctx, username, actor, jobId),
    topic: { kind: 'profile' },
    to: { followersOf: [accountId], accountIds: (await Promise.all(others)).flat(), inboxes: move?.inboxes ?? [] },
  }
}

/** Besides the followers. The servers of accounts that block this one block its new account too. */
async function findMoveRecipients(ctx: Context, accountId: string, targetId: string | null): Promise<string[]> {
  const blockers = await findBlockers(ctx, accountId)
  return targetId === null ? blockers : [targetId, ...blockers]
}

export const prepareActorDelete: Prepare<'delete-actor'> = async (ctx, { accountId }) => {
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  return {
    accountId,
    activity: renderDeleteActor(ctx, username),
    topic: { kind: 'profile' },
    to: { allServers: true },
  }
}

export const prepareMove: Prepare<'move'> = async (ctx, { accountId, targetAccountId, moveId }) => {
  const [username, target] = await Promise.all([usernameOf(ctx, accountId), findAccountUri(ctx, targetAccountId)])
  if (username === null || target === null) return null
  return {
    accountId,
    activity: renderMove(ctx, username, moveId, target),
    to: { followersOf: [accountId], accountIds: await findMoveRecipients(ctx, accountId, targetAccountId) },
  }
}
