import type { Context } from '../../context.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { findMailRecipients } from '../../domain/auth/staff.ts'
import { getApplicant } from '../../domain/moderation/pending.ts'
import { enqueueMail } from '../server/mail.ts'

/** Mails those who decide about sign-ups. For an applicant whose address has become confirmed. */
export async function tellStaffOfApplicant(tx: Context, accountId: string): Promise<void> {
  const { username: applicant, email, sign_up_reason } = await getApplicant(tx, accountId)
  const about = {
    applicant,
    email,
    reason: sign_up_reason ?? '',
    link: `${tx.config.baseUrl}/admin/accounts/${accountId}`,
  }
  for (const staff of await findMailRecipients(tx, 'sign_up_mails'))
    await enqueueMail(tx, await writeMail(tx, staff.email, 'account_pending', { ...about, username: staff.username }))
}

/** Mails those who decide about appeals. */
export async function tellStaffOfAppeal(tx: Context, about: { applicant: string; text: string }): Promise<void> {
  const link = `${tx.config.baseUrl}/admin/appeals`
  for (const { email, username } of await findMailRecipients(tx, 'appeal_mails'))
    await enqueueMail(tx, await writeMail(tx, email, 'appeal_received', { ...about, username, link }))
}
