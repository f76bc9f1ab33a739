import type { Context } from '../../context.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { hashPassword } from '../../domain/auth/passwords.ts'
import { storePassword } from '../../domain/auth/sign-in.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { newSecret } from '../../domain/auth/tokens.ts'
import { checkEmailIsFree, updateUser, type UserChanges } from '../../domain/auth/user-admin.ts'
import { lockModerated, type ModeratedAccount } from '../../domain/moderation/accounts.ts'
import { Forbidden, invalidField, NotFound } from '../../lib/errors.ts'
import { isEmail } from '../../lib/mail.ts'
import { sendPasswordReset } from '../auth/change-password.ts'
import { retireAddress, sendConfirmation } from '../auth/confirm-email.ts'
import { welcomeUser } from '../auth/welcome.ts'
import { turnOffSecondFactors } from '../auth/second-factors.ts'
import { endSessions } from '../auth/sessions.ts'
import { revokeTokensOf } from '../auth/tokens.ts'
import { enqueueMail } from '../server/mail.ts'
import { type AccountAuditAction, recordAccountAct } from './audit.ts'

export type UserAccount = ModeratedAccount & { user: NonNullable<ModeratedAccount['user']> }

/** Throws NotFound for an account without a user. */
export async function lockUserAccount(tx: Context, accountId: string): Promise<UserAccount> {
  const account = await lockModerated(tx, accountId)
  if (!account.user) throw new NotFound()
  return { ...account, user: account.user }
}

/**
 * Changes the user of a locked account, who learns by mail of an approval, and of a new address at the former one. Absent members
 * stay as they are. Returns what changed. Throws Invalid when another user has the address.
 */
export async function changeUser(
  tx: Context,
  { user, username }: UserAccount,
  changes: UserChanges,
): Promise<(keyof UserChanges)[]> {
  const { email = user.email } = changes
  if (email !== user.email) await checkEmailIsFree(tx, user.id, email)
  const { joinedAccountId, changed } = await updateUser(tx, user.id, changes)
  if (changed.includes('email'))
    await retireAddress(tx, { userId: user.id, username, email: user.email }, { newAddress: email })
  if (joinedAccountId !== null) {
    await welcomeUser(tx, joinedAccountId)
    const link = `${tx.config.baseUrl}/auth/sign_in`
    if (changes.approved) await enqueueMail(tx, await writeMail(tx, email, 'account_approved', { username, link }))
  }
  tx.publish({ type: 'user.changed', userId: user.id })
  return changed
}

const AUDIT_ACTION_OF: Record<keyof UserChanges, AccountAuditAction> = {
  email: 'change_email',
  roleId: 'change_role',
  confirmed: 'confirm',
  approved: 'approve',
  disabled: 'disable',
}

/** For the command line. Throws as changeUser; NotFound for an account without a user. */
export const modifyUser = (ctx: Context, accountId: string, changes: UserChanges): Promise<void> =>
  ctx.transaction(async (tx) => {
    const account = await lockUserAccount(tx, accountId)
    const changed = await changeUser(tx, account, changes)
    for (const name of changed) {
      const action = name === 'disabled' && !changes.disabled ? 'enable' : AUDIT_ACTION_OF[name]
      await recordAccountAct(tx, null, action, account)
    }
  })

type Change = 'confirm' | 'resend_confirmation' | 'change_email' | 'reset_password' | 'disable_2fa'

/**
 * Throws NotFound for an account without a user, Forbidden unless the staff member outranks it. `change` returns false when
 * nothing changed.
 */
async function changeByStaff(
  ctx: Context,
  staffId: StaffId,
  { accountId, action }: { accountId: string; action: Change },
  change: (tx: Context, account: UserAccount) => Promise<boolean | void>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await checkOutranks(tx, staffId, accountId)
    const account = await lockUserAccount(tx, accountId)
    if ((await change(tx, account)) === false) return
    tx.publish({ type: 'user.changed', userId: account.user.id })
    await recordAccountAct(tx, staffId, action, account)
  })
}

/** The new address counts as confirmed. Throws Invalid. */
export const changeEmailOf = (ctx: Context, staffId: StaffId, accountId: string, email: string): Promise<void> =>
  changeByStaff(ctx, staffId, { accountId, action: 'change_email' }, async (tx, account) => {
    if (!isEmail(email)) throw invalidField('email', 'invalid')
    // Otherwise, a new address that the user has not confirmed yet would be dropped.
    if (email === account.user.email && account.user.confirmed) return false
    await changeUser(tx, account, { email, confirmed: true })
  })

export const confirmUser = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changeByStaff(
    ctx,
    staffId,
    { accountId, action: 'confirm' },
    async (tx, account) => (await changeUser(tx, account, { confirmed: true })).length > 0,
  )

export const resendConfirmation = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changeByStaff(ctx, staffId, { accountId, action: 'resend_confirmation' }, (tx, { user }) =>
    sendConfirmation(tx, user.id),
  )

/** Ends the sessions, revokes the tokens, and mails a link for a new password. Throws Forbidden where the server takes none. */
export async function mailPasswordReset(ctx: Context, staffId: StaffId, accountId: string): Promise<void> {
  if (ctx.config.omniauthOnly) throw new Forbidden()
  await changeByStaff(ctx, staffId, { accountId, action: 'reset_password' }, async (tx, { user, username }) => {
    await setRandomPassword(tx, user.id)
    await sendPasswordReset(tx, username)
  })
}

export const disableSecondFactors = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changeByStaff(ctx, staffId, { accountId, action: 'disable_2fa' }, (tx, { user }) => turnOffSecondFactors(tx, user.id))

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
