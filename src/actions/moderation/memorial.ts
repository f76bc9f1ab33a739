import type { Context } from '../../context.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { storeMemorial } from '../../domain/moderation/states.ts'
import { federate } from '../federate.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { lockUserAccount } from './change-user.ts'
import { publishUserState } from './suspend.ts'
import { recordAccountAct } from './audit.ts'

/**
 * Makes the account of a user who has died a memorial, or undoes that: its profile and posts stay as they are. Returns false when
 * nothing changes. Throws NotFound for an account without a user, Forbidden unless the staff member outranks it.
 */
export async function setMemorial(
  ctx: Context,
  staffId: StaffId,
  { accountId, memorial }: { accountId: string; memorial: boolean },
): Promise<boolean> {
  await checkOutranks(ctx, staffId, accountId)
  return ctx.transaction(async (tx) => {
    const account = await lockUserAccount(tx, accountId)
    if (!(await storeMemorial(tx, accountId, memorial))) return false
    await publishUserState(tx, account.user.id)
    await federate(tx, { activity: 'update-actor', accountId })
    const action = memorial ? 'memorialize' : 'unmemorialize'
    await recordAccountAct(tx, staffId, action, account)
    await triggerWebhooks(tx, 'account.updated', accountId)
    return true
  })
}
