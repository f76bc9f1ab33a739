import type { Context } from '../../context.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { lockModerated } from '../../domain/moderation/accounts.ts'
import { deletePendingAccount } from '../../domain/moderation/pending.ts'
import { Forbidden } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { enqueueMail } from '../server/mail.ts'
import { changeUser, type UserAccount } from './change-user.ts'
import { recordAccountAct } from './audit.ts'

/** Throws Forbidden unless the account awaits its approval, and for staff who do not outrank it; NotFound. */
async function lockApplicant(tx: Context, staffId: StaffId, accountId: string): Promise<UserAccount> {
  await checkOutranks(tx, staffId, accountId)
  const account = await lockModerated(tx, accountId)
  const { user } = account
  if (!user || user.approved) throw new Forbidden(message('state_changed'))
  return { ...account, user }
}

/** Lets a pending user in. Throws as lockApplicant. */
export const approveSignUp = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const account = await lockApplicant(tx, staffId, accountId)
    await changeUser(tx, account, { approved: true })
    await recordAccountAct(tx, staffId, 'approve', account)
  })

/** Deletes a pending user, who learns it by mail. The name becomes free again. Throws as lockApplicant. */
export const rejectSignUp = (ctx: Context, staffId: StaffId, accountId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const account = await lockApplicant(tx, staffId, accountId)
    const { user, username } = account
    if (user.confirmed) await enqueueMail(tx, await writeMail(tx, user.email, 'account_rejected', { username }))
    await deletePendingAccount(tx, accountId)
    tx.publish({ type: 'user.changed', userId: user.id })
    await recordAccountAct(tx, staffId, 'reject', account)
  })
