import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { deleteOneTimeTokens } from '../../domain/auth/one-time.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { removeSecondFactors } from '../../domain/auth/two-factor.ts'
import { checkEmailIsFree, updateUser } from '../../domain/auth/user-admin.ts'
import { labelOf, lockModerated, type ModeratedAccount } from '../../domain/moderation/accounts.ts'
import { invalidField, NotFound } from '../../lib/errors.ts'
import { isEmail } from '../../lib/mail.ts'
import { sendPasswordReset } from '../auth/change-password.ts'
import { sendConfirmation } from '../auth/confirm-email.ts'
import { welcomeUser } from '../auth/join.ts'
import { enqueueMail } from '../server/mail.ts'
import { setRandomPassword } from './users.ts'

type UserAccount = ModeratedAccount & { user: NonNullable<ModeratedAccount['user']> }
type Change = { action: 'confirm' | 'resend_confirmation' | 'change_email' | 'reset_password' | 'disable_2fa' }

/** Throws NotFound for an account without a user, Forbidden unless the staff member outranks it. */
async function changing(
  ctx: Context,
  staffId: StaffId,
  accountId: string,
  { action }: Change,
  change: (tx: Context, account: UserAccount) => Promise<void>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await checkOutranks(tx, staffId, accountId)
    const account = await lockModerated(tx, accountId)
    const { user } = account
    if (!user) throw new NotFound()
    await change(tx, { ...account, user })
    tx.publish({ type: 'user.changed', userId: user.id })
    await insertAuditEntry(tx, staffId, { type: 'account', action, id: accountId, label: labelOf(account) })
  })
}

/** The new address counts as confirmed; a mail to the former one says so. Throws Invalid. */
export const changeEmailOf = (ctx: Context, staffId: StaffId, accountId: string, email: string): Promise<void> =>
  changing(ctx, staffId, accountId, { action: 'change_email' }, async (tx, { user, username }) => {
    if (!isEmail(email)) throw invalidField('email', 'invalid')
    await checkEmailIsFree(tx, user.id, email)
    const { joinedAccountId } = await updateUser(tx, user.id, { email, confirmed: true })
    if (joinedAccountId !== null) await welcomeUser(tx, joinedAccountId)
    // Links for a new password went to the former address.
    await deleteOneTimeTokens(tx, 'password', user.id)
    if (user.email !== email)
      await enqueueMail(tx, await writeMail(tx, user.email, 'address_changed', { username, newAddress: email }))
  })

export const confirmUser = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changing(ctx, staffId, accountId, { action: 'confirm' }, async (tx, { user }) => {
    const { joinedAccountId } = await updateUser(tx, user.id, { confirmed: true })
    if (joinedAccountId !== null) await welcomeUser(tx, joinedAccountId)
  })

export const resendConfirmation = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changing(ctx, staffId, accountId, { action: 'resend_confirmation' }, (tx, { user }) => sendConfirmation(tx, user.id))

/** Ends the sessions, revokes the tokens, and mails a link for a new password. */
export const mailPasswordReset = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changing(ctx, staffId, accountId, { action: 'reset_password' }, async (tx, { user, username }) => {
    await setRandomPassword(tx, user.id)
    await sendPasswordReset(tx, username)
  })

export const disableSecondFactors = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  changing(ctx, staffId, accountId, { action: 'disable_2fa' }, (tx, { user }) => removeSecondFactors(tx, user.id))
