import { welcomeUser } from '../auth/join.ts'
import { revokeTokensOf } from '../auth/tokens.ts'
import { storePassword } from '../../domain/auth/sign-in.ts'
import { type AUDIT_ACTIONS, insertAuditEntries } from '../../domain/audit/audit-log.ts'
import { findStaffMember } from '../../domain/auth/staff.ts'
import type { Context } from '../../context.ts'
import { hashPassword } from '../../domain/auth/passwords.ts'
import { endSessions } from '../auth/sessions.ts'
import { newSecret } from '../../domain/auth/tokens.ts'
import { lockModerated } from '../../domain/moderation/accounts.ts'
import { mailApproval } from './review-sign-up.ts'
import { checkEmailIsFree, updateUser, type UserChanges } from '../../domain/auth/user-admin.ts'

type AccountAction = (typeof AUDIT_ACTIONS)['account'][number]

const AUDIT_ACTION_OF: Record<keyof UserChanges, AccountAction> = {
  email: 'change_email',
  roleId: 'change_role',
  confirmed: 'confirm',
  approved: 'approve',
  disabled: 'disable',
}

/** For the command line: absent members stay as they are. A user who was pending learns of the approval by mail. Throws Invalid when another user has the address. */
export async function modifyUser(ctx: Context, userId: string, changes: UserChanges): Promise<void> {
  if (changes.email !== undefined) await checkEmailIsFree(ctx, userId, changes.email)
  await ctx.transaction(async (tx) => {
    const { joinedAccountId, changed } = await updateUser(tx, userId, changes)
    if (joinedAccountId !== null) {
      await welcomeUser(tx, joinedAccountId)
      const { user, username } = await lockModerated(tx, joinedAccountId)
      if (user && changes.approved) await mailApproval(tx, user.email, username)
    }
    tx.publish({ type: 'user.changed', userId })
    const { accountId, username } = await findStaffMember(tx, userId)
    const entries = changed.map((name) => {
      const action: AccountAction = name === 'disabled' && !changes.disabled ? 'enable' : AUDIT_ACTION_OF[name]
      return { type: 'account' as const, action, id: accountId, label: `@${username}` }
    })
    await insertAuditEntries(tx, null, entries)
  })
}

/** Returns the password. Ends the user's sessions and revokes the tokens. */
export async function setRandomPassword(ctx: Context, userId: string): Promise<string> {
  const password = newSecret().slice(0, 20)
  const hash = await hashPassword(password)
  await ctx.transaction(async (tx) => {
    await storePassword(tx, userId, hash)
    await endSessions(tx, userId)
    await revokeTokensOf(tx, userId)
    tx.publish({ type: 'user.changed', userId })
  })
  return password
}
