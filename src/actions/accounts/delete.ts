import { revokeTokensOf } from '../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { eraseAccount, eraseRemoteAccount, lockDeleted, lockForDeletion } from '../../domain/deletion/account.ts'
import { recordAccountDeletion } from '../../domain/fasp/sharing.ts'
import type { JobData } from '../../jobs/kinds.ts'
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

/** In seconds. Requests and jobs that began before the deletion have ended by then. */
const SECOND_ERASURE_DELAY = 3600

/**
 * Deletes all but the row of an account, and an hour later what was stored for it meanwhile. `keepRecords`: see eraseAccount.
 * Sends nothing to other servers.
 */
export async function deleteDataOf(
  tx: Context,
  accountId: string,
  { keepRecords = false }: { keepRecords?: boolean } = {},
): Promise<void> {
  const user = await lockForDeletion(tx, accountId)
  if (user) await revokeTokensOf(tx, user.id)
  await erase(tx, accountId, keepRecords)
  if (user) tx.publish({ type: 'user.changed', userId: user.id })
  await tx.enqueue('accounts.erase', { accountId, keepRecords }, { delay: SECOND_ERASURE_DELAY })
}

async function erase(tx: Context, accountId: string, keepRecords: boolean): Promise<void> {
  const { fileKeys, conversations } = await eraseAccount(tx, accountId, { keepRecords })
  await enqueueFileDeletion(tx, fileKeys)
  publishChangedConversations(tx, conversations)
}

/** Job `accounts.erase`. Deletes what was stored since the deletion. Does nothing once the account is in use again. */
export const eraseAgain = (ctx: Context, { accountId, keepRecords }: JobData['accounts.erase']): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (await lockDeleted(tx, accountId)) await erase(tx, accountId, keepRecords)
  })

/** Deletes a remote account with all its data. `byItsServer`: its server has deleted it; otherwise only this server does. */
export async function purgeRemoteAccount(
  ctx: Context,
  accountId: string,
  { byItsServer = false }: { byItsServer?: boolean } = {},
): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (byItsServer) await recordAccountDeletion(tx, accountId)
    const { fileKeys, conversations } = await eraseRemoteAccount(tx, accountId)
    await enqueueFileDeletion(tx, fileKeys)
    publishChangedConversations(tx, conversations)
  })
}
