import type { Context } from '../../context.ts'
import { tokenIdsOf } from '../../domain/auth/tokens.ts'
import type { ModeratedAccount } from '../../domain/moderation/accounts.ts'
import { storeSuspended, storeUnsuspended } from '../../domain/moderation/states.ts'
import { blockCanonicalEmail, unblockCanonicalEmail } from '../../domain/registration/canonical-email-blocks.ts'
import { fullHandle } from '../../domain/server/addresses.ts'
import { federate } from '../federate.ts'
import { restoreSeverances, startSeverance } from './sever.ts'

/**
 * Suspends an account, local or remote. A job deletes its data after 30 days. Until then the suspension can be undone: its
 * follows with local accounts have ended, and its user may only see what happened. False when moderators have suspended it
 * already. The caller has locked it, and records the act: see actOnAccount.
 */
export async function suspendAccount(tx: Context, account: ModeratedAccount): Promise<boolean> {
  if (!(await storeSuspended(tx, account.id))) return false
  await blockCanonicalEmail(tx, account.id)
  const target = { type: 'account_suspension' as const, accountId: account.id, handle: fullHandle(tx, account) }
  await startSeverance(tx, target, { announced: true })
  await publishSuspension(tx, account)
  return true
}

/** Restores what the suspension took. False when the account is not suspended, or its data is gone. */
export async function unsuspendAccount(tx: Context, account: ModeratedAccount): Promise<boolean> {
  if (!(await storeUnsuspended(tx, account.id))) return false
  await unblockCanonicalEmail(tx, account.id)
  await restoreSeverances(tx, { accountId: account.id })
  await publishSuspension(tx, account)
  // Its server may have changed it meanwhile.
  if (account.domain !== null)
    await tx.enqueue('federation.refresh', { accountId: account.id, force: true }, { key: account.id })
  return true
}

async function publishSuspension(tx: Context, { id, domain, user }: ModeratedAccount): Promise<void> {
  if (user) await publishUserState(tx, user.id)
  if (domain === null) await federate(tx, { activity: 'update-actor', accountId: id })
}

/** Call it when a user may no longer act, or may act again. Closes their streams; clients open new ones, unless refused. */
export async function publishUserState(tx: Context, userId: string): Promise<void> {
  const tokenIds = await tokenIdsOf(tx, userId)
  tx.publish({ type: 'user.changed', userId }, { type: 'tokens.gone', tokenIds })
}
