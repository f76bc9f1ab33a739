// Acts of administrators on accounts, from the command line.
import type { Context } from '../../context.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import { storeNewKey } from '../../domain/accounts/keys.ts'
import type { RemoteAccountRow } from '../../domain/accounts/batches.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { purgeRemoteAccount } from '../accounts/delete.ts'
import { federate } from '../federate.ts'
import { FetchError, isMissing } from '../../net/fetch-error.ts'

/**
 * Other servers fetch the account again when a signature does not match, or learn the new key from the Update. False for an
 * account that never needed a key.
 */
export const rotateKey = (ctx: Context, account: { id: string; username: string }): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    if (!(await storeNewKey(tx, account.id))) return false
    await federate(tx, { activity: 'update-actor', accountId: account.id })
    const details = { changed: 'signing key' }
    const label = `@${account.username}`
    await insertAuditEntry(tx, null, { type: 'account', action: 'update', id: account.id, label, details })
    return true
  })

/**
 * Asks the server of a remote account whether the account exists, and deletes one that does not. `dryRun`: only asks. An account
 * that exists stays as it is stored.
 */
export async function cullAccount(
  ctx: Context,
  account: RemoteAccountRow,
  dryRun: boolean,
): Promise<'present' | 'deleted' | 'unreachable'> {
  try {
    await fetchDocument(ctx, account.uri)
    return 'present'
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (!isMissing(error)) return 'unreachable'
    if (!dryRun) await purgeRemoteAccount(ctx, account.id)
    return 'deleted'
  }
}

/** Jobs fetch the accounts again, with their images and counters. */
export const refreshAccounts = (ctx: Context, accounts: readonly Pick<RemoteAccountRow, 'id'>[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    await tx.enqueueMany(
      'federation.refresh',
      accounts.map(({ id }) => ({ accountId: id, force: true })),
    )
    await tx.enqueueMany(
      'media.cache',
      accounts.map(({ id }) => ({ accountId: id })),
    )
  })
