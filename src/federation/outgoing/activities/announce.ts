import type { Context } from '../../../context.ts'
import { timeOfId } from '../../../lib/ids.ts'
import { usernameOf } from '../../accounts.ts'
import { renderAnnounce, renderUndo } from '../render/activity.ts'
import { loadBoosts } from '../render/boost.ts'
import type { ActOf, OutgoingActivity, Prepare } from './outgoing.ts'

/** Announce: a boost, and its Undo. */
export const prepareAnnounce: Prepare<'announce'> = async (ctx, act) => {
  if (act.undo) return prepareUndo(ctx, act)
  const { statusId } = act
  const row = (await loadBoosts(ctx, [statusId])).get(statusId)
  if (!row?.isApproved) return null
  return {
    accountId: row.accountId,
    activity: renderAnnounce(ctx, row),
    topic: { kind: 'status', id: statusId },
    statusId,
    to: { followersOf: [row.accountId], accountIds: [row.originalAuthorId] },
  }
}

/** The row of the boost is gone, but its id still tells its time. */
async function prepareUndo(
  ctx: Context,
  act: Extract<ActOf<'announce'>, { undo: true }>,
): Promise<OutgoingActivity | null> {
  const { accountId, statusId, visibility, originalUri, originalAuthorUri } = act
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  const createdAt = timeOfId(statusId)
  const boost = { id: statusId, username, visibility, originalUri, originalAuthorUri, createdAt }
  return {
    accountId,
    activity: renderUndo(ctx, username, renderAnnounce(ctx, boost)),
    topic: { kind: 'status', id: statusId },
    // A boost that was not approved has the visibility "direct" here: the followers never received it.
    to: { accountIds: act.to, ...(visibility === 'direct' ? {} : { followersOf: [accountId] }) },
  }
}
