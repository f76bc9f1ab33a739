import type { Context } from '../../context.ts'
import { type MailKind, type MailParams, writeMails } from '../../domain/auth/mails.ts'
import { findMailRecipients, type StaffMail } from '../../domain/auth/staff.ts'
import { getApplicant } from '../../domain/moderation/pending.ts'
import { enqueueMails } from '../server/mail.ts'

/** The setting that turns each kind off. */
const SETTINGS = {
  account_pending: 'sign_up_mails',
  appeal_received: 'appeal_mails',
  report: 'report_mails',
  trends: 'trend_mails',
} as const satisfies Partial<Record<MailKind, StaffMail>>

type StaffMailParams<Kind extends MailKind> = Omit<MailParams<Kind>, 'username'>

/** Mails the staff who receive this kind of mails, other than the account `exceptId`. `about` is read only if there are any. */
export async function mailStaff<Kind extends keyof typeof SETTINGS>(
  tx: Context,
  kind: Kind,
  about: () => StaffMailParams<Kind> | Promise<StaffMailParams<Kind>>,
  { exceptId = null }: { exceptId?: string | null } = {},
): Promise<void> {
  const staff = (await findMailRecipients(tx, SETTINGS[kind])).filter(({ id }) => id !== exceptId)
  if (staff.length > 0) await enqueueMails(tx, await writeMails(tx, staff, kind, await about()))
}

/** Mails staff who decide about sign-ups. Call it when an applicant's address has become confirmed. */
export const mailStaffAboutApplicant = (tx: Context, accountId: string): Promise<void> =>
  mailStaff(tx, 'account_pending', async () => {
    const { username: applicant, email, sign_up_reason: reason } = await getApplicant(tx, accountId)
    return { applicant, email, reason: reason ?? '', link: `${tx.config.baseUrl}/admin/accounts/${accountId}` }
  })

/** Mails staff who decide about appeals. */
export const mailStaffAboutAppeal = (tx: Context, about: { applicant: string; text: string }): Promise<void> =>
  mailStaff(tx, 'appeal_received', () => ({ ...about, link: `${tx.config.baseUrl}/admin/appeals` }))
