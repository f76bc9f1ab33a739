import type { Context } from '../../context.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { isPurging, lockModerated, type ModeratedAccount } from '../../domain/moderation/accounts.ts'
import { storeEnabled, storeUnsensitized, storeUnsilenced } from '../../domain/moderation/states.ts'
import { overruleWarnings } from '../../domain/moderation/warnings.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { publishUserState, unsuspendAccount } from './suspend.ts'
import { recordAccountAct } from './audit.ts'

/** The states into which moderators put accounts, by the names of the actions that do so. */
export type ModerationState = 'disable' | 'sensitive' | 'silence' | 'suspend'

const AUDITED = {
  disable: 'enable',
  sensitive: 'unsensitive',
  silence: 'unsilence',
  suspend: 'unsuspend',
} as const satisfies Record<ModerationState, string>

export const isModerationState = (action: string): action is ModerationState => Object.hasOwn(AUDITED, action)

/**
 * Ends a state of an account, and returns false when the account is not in it. Its warnings with this action no longer apply.
 * Throws NotFound for an unknown account, Forbidden unless the staff member outranks it, and for a suspended account whose data
 * is gone.
 */
export async function liftState(
  ctx: Context,
  staffId: StaffId,
  { accountId, state }: { accountId: string; state: ModerationState },
): Promise<boolean> {
  await checkOutranks(ctx, staffId, accountId)
  return ctx.transaction(async (tx) => liftLocked(tx, staffId, await lockModerated(tx, accountId), state))
}

/** As liftState, for an account that is locked already. The caller checks the ranks. */
export async function liftLocked(
  tx: Context,
  staffId: StaffId,
  account: ModeratedAccount,
  state: ModerationState,
): Promise<boolean> {
  if (!(await LIFTS[state](tx, account))) return false
  await overruleWarnings(tx, account.id, state)
  await recordAccountAct(tx, staffId, AUDITED[state], account)
  if (account.user) await triggerWebhooks(tx, 'account.updated', account.id)
  return true
}

const LIFTS: Record<ModerationState, (tx: Context, account: ModeratedAccount) => Promise<boolean>> = {
  sensitive: (tx, { id }) => storeUnsensitized(tx, id),
  silence: (tx, { id }) => storeUnsilenced(tx, id),
  async disable(tx, { id, user }) {
    const changed = await storeEnabled(tx, id)
    if (changed && user) await publishUserState(tx, user.id)
    return changed
  },
  async suspend(tx, account) {
    if (isPurging(account)) throw new Forbidden(message('state_changed'))
    return unsuspendAccount(tx, account)
  },
}
