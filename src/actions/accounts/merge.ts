import type { Context } from '../../context.ts'
import { eraseRemoteAccount } from '../../domain/deletion/account.ts'
import { lockMerged, type Merge, moveReferences } from '../../domain/deletion/merge.ts'
import {
  findForbiddenFollows,
  findMovingBlocks,
  findMovingFollows,
} from '../../domain/relationships/moved-followers.ts'
import { publishChangedConversations } from '../conversations/change.ts'
import { federate, followAct } from '../federate.ts'
import { enqueueFileDeletion } from '../files.ts'
import { block } from './block.ts'
import { unfollow } from './follow.ts'

/**
 * Merges two remote accounts: posts, followers, lists, blocks, mutes and all else of `from` belong to `to`, and `from` is
 * deleted. Local accounts that only followed `from` follow `to`, whose server receives their Follow. All in one transaction, so
 * that an interruption leaves no account half merged: activities of the two wait for it, about a second for 10,000 posts.
 */
export async function mergeAccounts(ctx: Context, merge: Merge): Promise<void> {
  const { from, to } = merge
  await ctx.transaction(async (tx) => {
    await lockMerged(tx, merge)
    for (const accounts of await findMovingBlocks(tx, merge)) await block(tx, accounts)
    for (const accounts of await findForbiddenFollows(tx, merge)) await unfollow(tx, accounts)
    const moving = await findMovingFollows(tx, merge)
    await moveReferences(tx, merge)
    const { fileKeys, conversations } = await eraseRemoteAccount(tx, from)
    await enqueueFileDeletion(tx, fileKeys)
    publishChangedConversations(tx, conversations)
    await federate(
      tx,
      moving.map((row) => followAct({ ...row, target_account_id: to })),
    )
    await tx.enqueue('search.account', { accountId: to, after: '0' })
    await tx.enqueue('federation.refresh', { accountId: to, force: true }, { key: to })
  })
}
