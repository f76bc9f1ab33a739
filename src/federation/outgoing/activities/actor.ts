import { findAccountUri, usernameOf } from '../../accounts.ts'
import { renderDeleteActor, renderMove, renderUpdateActor } from '../render/activity.ts'
import { renderActor } from '../render/actor.ts'
import type { Prepare } from './outgoing.ts'

/** Update of a profile. */
export const prepareActorUpdate: Prepare<'update-actor'> = async (ctx, { accountId }, jobId) => {
  const username = await usernameOf(ctx, accountId)
  const actor = username === null ? null : await renderActor(ctx, accountId)
  if (username === null || !actor) return null
  return {
    accountId,
    activity: renderUpdateActor(ctx, username, actor, jobId),
    topic: { kind: 'profile' },
    to: { followersOf: [accountId] },
  }
}

/** Delete of an account, for every known server. */
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

/** Move of an account to another one. */
export const prepareMove: Prepare<'move'> = async (ctx, { accountId, targetAccountId, moveId }) => {
  const [username, target] = await Promise.all([usernameOf(ctx, accountId), findAccountUri(ctx, targetAccountId)])
  if (username === null || target === null) return null
  return {
    accountId,
    activity: renderMove(ctx, username, moveId, target),
    to: { followersOf: [accountId], accountIds: [targetAccountId] },
  }
}
