import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { removeFromHome } from '../timelines/fan-out.ts'
import { forgetCollections } from '../../domain/relationships/collections.ts'
import { forgetConversations } from '../../domain/relationships/conversations.ts'
import { forgetNotifications } from '../../domain/relationships/notifications.ts'
import { lockPair, readDomains } from '../../domain/relationships/relationship.ts'
import { federate } from '../federate.ts'
import { sever } from './unlink.ts'

/**
 * Blocks an account: neither follows the other any longer, neither finds the other's posts at home, and notifications from the
 * blocked one are gone. `uri` is what the block of a remote account is called on its server. Blocking oneself does nothing.
 */
export async function block(
  ctx: Context,
  tie: { accountId: string; targetAccountId: string; uri?: string | null },
): Promise<void> {
  const { accountId, targetAccountId } = tie
  if (accountId === targetAccountId) return
  await ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, targetAccountId)
    const made = await tx.db.maybe<{ id: string }>(sql`
      insert into blocks (account_id, target_account_id, uri) values (${accountId}, ${targetAccountId}, ${tie.uri ?? null}) on conflict do nothing returning id`)
    const outgoing = await sever(tx, accountId, targetAccountId)
    const incoming = await sever(tx, targetAccountId, accountId)
    await removeFromHome(tx, accountId, targetAccountId)
    await removeFromHome(tx, targetAccountId, accountId)
    await forgetNotifications(tx, accountId, [targetAccountId])
    await forgetConversations(tx, accountId, targetAccountId)
    await forgetCollections(tx, accountId, targetAccountId)
    const { mine, theirs } = await readDomains(tx, accountId, targetAccountId)
    if (mine !== null || theirs === null) return
    if (outgoing)
      await federate(tx, {
        activity: 'follow',
        undo: true,
        accountId,
        targetAccountId,
        followId: outgoing.id,
      })
    if (incoming)
      await federate(tx, {
        activity: 'answer-follow',
        accepted: false,
        accountId,
        targetAccountId,
        followUri: incoming.uri,
      })
    if (made) await federate(tx, { activity: 'block', accountId, targetAccountId, blockId: made.id })
  })
}

/** Takes a block back; nothing else comes back with it. False where there was none. */
export async function unblock(ctx: Context, tie: { accountId: string; targetAccountId: string }): Promise<boolean> {
  const { accountId, targetAccountId } = tie
  return ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, targetAccountId)
    const gone = await tx.db.maybe<{ id: string }>(sql`
      delete from blocks where account_id = ${accountId} and target_account_id = ${targetAccountId} returning id`)
    if (!gone) return false
    const { mine, theirs } = await readDomains(tx, accountId, targetAccountId)
    if (mine === null && theirs !== null)
      await federate(tx, {
        activity: 'block',
        undo: true,
        accountId,
        targetAccountId,
        blockId: gone.id,
      })
    return true
  })
}
