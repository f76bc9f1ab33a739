import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { type MailParams, writeMails } from '../../domain/auth/mails.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteDraft,
  getTerms,
  publishDraft,
  saveDraft,
  startMailing,
  takeTermsRecipients,
  type Terms,
  type TermsValues,
} from '../../domain/terms/terms.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { NotFound } from '../../lib/errors.ts'
import { enqueueMails, mailUser } from '../server/mail.ts'

/** Replaces the draft. Throws Invalid. */
export const saveTermsDraft = (ctx: Context, staffId: StaffId, values: TermsValues): Promise<void> =>
  ctx.transaction(async (tx) => {
    const id = await saveDraft(tx, values)
    await insertAuditEntry(tx, staffId, { type: 'terms_of_service', action: 'update', id, label: values.effectiveDate })
  })

export const discardTermsDraft = (ctx: Context, staffId: StaffId): Promise<void> =>
  ctx.transaction(async (tx) => {
    if ((await deleteDraft(tx)) > 0)
      await insertAuditEntry(tx, staffId, { type: 'terms_of_service', action: 'delete', id: null })
  })

/** Throws NotFound without a draft, Invalid for its day. */
export const publishTerms = (ctx: Context, staffId: StaffId): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { id, effective_date: label } = await publishDraft(tx)
    await insertAuditEntry(tx, staffId, { type: 'terms_of_service', action: 'publish', id, label })
    // Pages and the instance documents link to the terms.
    tx.publish({ type: 'settings.changed' })
  })

/** Mails a published version to all users, once. Throws NotFound. */
export const mailTerms = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { effective_date: label } = await getTerms(tx, id)
    if (!(await startMailing(tx, id))) return
    await tx.enqueue('terms.mail', { id })
    await insertAuditEntry(tx, staffId, { type: 'terms_of_service', action: 'mail', id, label })
  })

/** Shows a staff member the mail before it goes to everyone. Throws NotFound for a draft, too. */
export const mailTermsTo = (ctx: Context, userId: string, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const terms = await getTerms(tx, id)
    if (!terms.published_at) throw new NotFound()
    await mailUser(tx, userId, 'terms_changed', aboutTerms(tx, terms))
  })

const aboutTerms = (
  ctx: Context,
  { effective_date: date, changelog }: Terms,
): Omit<MailParams<'terms_changed'>, 'username'> => ({
  date,
  changelog,
  link: `${ctx.config.baseUrl}/terms-of-service/${date}`,
})

const BATCH = 100

/**
 * Job `terms.mail`: each batch is counted in the transaction that enqueues its mails, so a second run goes on where the first
 * stopped.
 */
export async function continueTermsMail(ctx: Context, { id }: JobData['terms.mail']): Promise<void> {
  const about = aboutTerms(ctx, await getTerms(ctx, id))
  for (;;) {
    const sent = await ctx.transaction(async (tx) => {
      const recipients = await takeTermsRecipients(tx, id, BATCH)
      if (recipients.length > 0) await enqueueMails(tx, await writeMails(tx, recipients, 'terms_changed', about))
      return recipients.length
    })
    if (sent === 0) return
  }
}
