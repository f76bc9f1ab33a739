import type { Context } from '../../context.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { getModerated } from '../../domain/moderation/accounts.ts'
import { NotFound } from '../../lib/errors.ts'
import { refreshAccounts } from '../operations/accounts.ts'
import { recordAccountAct } from './audit.ts'

/** A job fetches the account from its server again, even if it is fresh. Throws NotFound unless the account is remote. */
export const refreshRemoteAccount = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const account = await getModerated(tx, accountId)
    if (account.domain === null) throw new NotFound()
    await refreshAccounts(tx, [account])
    await recordAccountAct(tx, staffId, 'refresh', account)
  })
