import { publicCollection } from '../../../ap/audience.ts'
import { activityStreamsContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import { instanceActorUri } from '../../../domain/accounts/keys.ts'
import { hasBlocked } from '../../../domain/relationships/hidden.ts'
import { sql } from '../../../db/sql.ts'
import { findAccountUri, usernameOf } from '../../ids.ts'
import { renderFollowAnswer, renderBlock, renderFollow, renderUndo } from '../render/activity.ts'
import type { ActOf, Prepare } from './outgoing.ts'

// When an account follows, accepts or blocks and undoes it in quick succession, only the last state is sent.

export const prepareFollow: Prepare<'follow'> = async (ctx, { undo = false, accountId, targetAccountId, followId }) => {
  const names = await findNames(ctx, accountId, targetAccountId)
  const between = sql`account_id = ${accountId} and target_account_id = ${targetAccountId}`
  const follows = await ctx.db.maybe(
    sql`select 1 from follows where ${between} union all select 1 from follow_requests where ${between} limit 1`,
  )
  if (!names || (follows !== null) === undo) return null
  const follow = renderFollow(ctx, names.username, followId, names.target)
  return {
    accountId,
    activity: undo ? renderUndo(ctx, names.username, follow) : follow,
    topic: { kind: 'follow', id: targetAccountId },
    to: { accountIds: [targetAccountId], inOwnInboxes: true, evenSuspended: undo, evenFailing: true },
  }
}

export const prepareBlock: Prepare<'block'> = async (ctx, { undo = false, accountId, targetAccountId, blockId }) => {
  const names = await findNames(ctx, accountId, targetAccountId)
  const blocks = await ctx.db.maybe(sql`select where ${hasBlocked(accountId, targetAccountId)}`)
  if (!names || (blocks !== null) === undo) return null
  const block = renderBlock(ctx, names.username, blockId, names.target)
  return {
    accountId,
    activity: undo ? renderUndo(ctx, names.username, block) : block,
    topic: { kind: 'block', id: targetAccountId },
    to: { accountIds: [targetAccountId], inOwnInboxes: true },
  }
}

export const prepareFollowAnswer: Prepare<'answer-follow'> = async (ctx, act, jobId) => {
  const names = await findNames(ctx, act.accountId, act.targetAccountId)
  if (!names || (act.accepted && !(await isStillAccepted(ctx, act)))) return null
  const follow = { ...(act.followUri === null ? {} : { id: act.followUri }), actor: names.target }
  return {
    accountId: act.accountId,
    activity: renderFollowAnswer(ctx, names.username, {
      type: act.accepted ? 'Accept' : 'Reject',
      eventId: jobId,
      follow,
    }),
    topic: { kind: 'follower', id: act.targetAccountId },
    to: { accountIds: [act.targetAccountId], inOwnInboxes: true, evenSuspended: !act.accepted },
  }
}

/** False also after another Follow, which has an Accept of its own. */
const isStillAccepted = async (ctx: Context, act: ActOf<'answer-follow'>): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from follows where account_id = ${act.targetAccountId} and target_account_id = ${act.accountId}
      and (uri = ${act.followUri} or ${act.followUri}::text is null)`)) !== null

/** The instance actor follows all public posts; the Undo takes the same id. */
export const prepareRelayFollow: Prepare<'follow-relay'> = async (ctx, { undo = false, inboxUrl, followUri }) => {
  const actor = instanceActorUri(ctx)
  const follow = { id: followUri, type: 'Follow', actor, object: publicCollection }
  const activity = undo
    ? { '@context': activityStreamsContext, id: `${followUri}/undo`, type: 'Undo', actor, object: follow }
    : { '@context': activityStreamsContext, ...follow }
  return { accountId: null, activity, to: { inboxes: [inboxUrl], evenFailing: true } }
}

async function findNames(
  ctx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<{ username: string; target: string } | null> {
  const [username, target] = await Promise.all([usernameOf(ctx, accountId), findAccountUri(ctx, targetAccountId)])
  return username === null || target === null ? null : { username, target }
}
