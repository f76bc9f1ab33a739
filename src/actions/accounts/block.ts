import type { Context } from '../../context.ts'
import { federate, rejectFollowAct, unfollowAct } from '../federate.ts'
import { leaveEachOther } from '../collections/change.ts'
import { lockAgainstDeletion } from '../../domain/accounts/find.ts'
import { removeConversationsWith } from '../../domain/conversations/conversations.ts'
import { deleteNotificationsFrom } from '../../domain/notifications/list.ts'
import { deleteBlock, insertBlock } from '../../domain/relationships/blocks.ts'
import { isLocalToRemote } from '../../domain/relationships/follows.ts'
import { lockRelationship } from '../../domain/relationships/locks.ts'
import { NotFound } from '../../lib/errors.ts'
import { removeFromHome } from '../timelines/fan-out.ts'
import { endFollow } from './follow.ts'

/**
 * Ends follows in both directions, removes each other's posts from home timelines and each other from collections, and
 * deletes the blocked account's notifications and conversations. `uri`: the id of a remote account's Block activity. Does
 * nothing for oneself. Throws NotFound when one of the accounts is gone.
 */
export async function block(
  ctx: Context,
  form: { accountId: string; targetAccountId: string; uri?: string | null },
): Promise<void> {
  const { accountId, targetAccountId } = form
  if (accountId === targetAccountId) return
  await ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, targetAccountId)
    if ((await tx.db.many(lockAgainstDeletion([accountId, targetAccountId]))).length < 2) throw new NotFound()
    const blockId = await insertBlock(tx, form)
    const outgoing = await endFollow(tx, accountId, targetAccountId)
    const incoming = await endFollow(tx, targetAccountId, accountId)
    await removeFromHome(tx, accountId, targetAccountId)
    await removeFromHome(tx, targetAccountId, accountId)
    await deleteNotificationsFrom(tx, accountId, [targetAccountId])
    await removeConversationsWith(tx, accountId, targetAccountId)
    await leaveEachOther(tx, accountId, { accountId: targetAccountId })
    if (!(await isLocalToRemote(tx, accountId, targetAccountId))) return
    if (outgoing) await federate(tx, unfollowAct(outgoing))
    if (incoming) await federate(tx, rejectFollowAct(incoming))
    if (blockId !== null) await federate(tx, { activity: 'block', accountId, targetAccountId, blockId })
  })
}

/** Does not restore what the block removed. Returns false when there was no block. */
export async function unblock(
  ctx: Context,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockRelationship(tx, accountId, targetAccountId)
    const blockId = await deleteBlock(tx, accountId, targetAccountId)
    if (blockId === null) return false
    if (await isLocalToRemote(tx, accountId, targetAccountId))
      await federate(tx, { activity: 'block', undo: true, accountId, targetAccountId, blockId })
    return true
  })
}
