import { revokeTokensOf } from '../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { eraseAccount, eraseRemoteAccount, lockForDeletion } from '../../domain/deletion/account.ts'
import { recordAccountDeletion } from '../../domain/fasp/sharing.ts'
import { publishChangedConversations } from '../conversations/change.ts'
import { federate } from '../federate.ts'
import { enqueueFileDeletion } from '../files.ts'

/**
 * Deletes a local account for good: statuses, media, relationships and its user. A blank, suspended row stays, which reserves
 * the username and signs the Delete activity.
 */
export const deleteAccount = (ctx: Context, accountId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await deleteDataOf(tx, accountId)
    await federate(tx, { activity: 'delete-actor', accountId })
  })

/** Deletes all but the row of an account. `keepRecords`: see eraseAccount. Sends nothing to other servers. */
export async function deleteDataOf(
  tx: Context,
  accountId: string,
  options: { keepRecords?: boolean } = {},
): Promise<void> {
  const user = await lockForDeletion(tx, accountId)
  if (user) await revokeTokensOf(tx, user.id)
  const { fileKeys, conversations } = await eraseAccount(tx, accountId, options)
  await enqueueFileDeletion(tx, fileKeys)
  publishChangedConversations(tx, conversations)
  if (user) tx.publish({ type: 'user.changed', userId: user.id })
}

/** `byItsServer`: the account exists no longer; otherwise only this server has no more use for it. */
export async function purgeRemoteAccount(
  ctx: Context,
  accountId: string,
  { byItsServer = false }: { byItsServer?: boolean } = {},
): Promise<void> {
  const fileKeys = await ctx.transaction(async (tx) => {
    if (byItsServer) await recordAccountDeletion(tx, accountId)
    const erased = await eraseRemoteAccount(tx, accountId)
    publishChangedConversations(tx, erased.conversations)
    return erased.fileKeys
  })
  await ctx.deleteFiles(fileKeys)
}
