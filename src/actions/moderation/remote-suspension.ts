import type { Context } from '../../context.ts'
import { storeSuspendedRemotely } from '../../domain/moderation/states.ts'

/** Follows what a remote account's own server says. Moderators of this server overrule it. */
export async function followRemoteSuspension(tx: Context, accountId: string, suspended: boolean): Promise<void> {
  if (await storeSuspendedRemotely(tx, accountId, suspended)) tx.publish({ type: 'account.suspended', accountId })
}
