import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { findCollectionsOf } from '../../domain/collections/collections.ts'
import { getModerated, labelOf, lockModerated, type ModeratedAccount } from '../../domain/moderation/accounts.ts'
import {
  type AppealRow,
  insertAppeal,
  isAppealable,
  lockPendingAppeal,
  MAX_APPEAL,
  storeDecision,
} from '../../domain/moderation/appeals.ts'
import { ownStatusIds } from '../../domain/moderation/moderated-statuses.ts'
import { getWarningOf, overruleWarning } from '../../domain/moderation/warnings.ts'
import { isoDay } from '../../lib/dates.ts'
import { Forbidden, requiredText } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { changeCollection } from '../collections/change.ts'
import { enqueueMail } from '../server/mail.ts'
import { editStatus } from '../statuses/edit.ts'
import { isModerationState, liftLocked } from './lift.ts'
import { mailStaffAboutAppeal } from './mail-staff.ts'

type NewAppeal = { accountId: string; warningId: string; text: string }

/**
 * Staff learn it by mail. Throws NotFound for another account's warning, Forbidden after 20 days, for a second appeal and for
 * what was undone, Invalid for a missing or long text.
 */
export async function appealWarning(ctx: Context, { accountId, warningId, text }: NewAppeal): Promise<void> {
  const words = requiredText('text', text, MAX_APPEAL)
  await ctx.transaction(async (tx) => {
    const warning = await getWarningOf(tx, accountId, warningId)
    if (!isAppealable(warning) || (await insertAppeal(tx, warning, words)) === null)
      throw new Forbidden(message('state_changed'))
    const { username } = await getModerated(tx, accountId)
    await mailStaffAboutAppeal(tx, { applicant: username, text: words })
  })
}

/**
 * Approving undoes what the warning did, as far as it can be undone: deleted statuses stay deleted. The account learns it by
 * mail. Throws NotFound, and Forbidden for an appeal that is decided, or unless the staff member outranks the account.
 */
export const decideAppeal = (
  ctx: Context,
  staffId: StaffId,
  { id, approve }: { id: string; approve: boolean },
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const appeal = await lockPendingAppeal(tx, id)
    await checkOutranks(tx, staffId, appeal.account_id)
    const account = await lockModerated(tx, appeal.account_id)
    await storeDecision(tx, staffId, { id, approved: approve })
    if (approve) await undoWarning(tx, staffId, account, appeal)
    await mailDecision(tx, account, appeal, approve)
    await insertAuditEntry(tx, staffId, {
      type: 'appeal',
      action: approve ? 'approve' : 'reject',
      id,
      label: labelOf(account),
      details: { account_id: account.id, warning_id: appeal.account_warning_id },
    })
  })

async function undoWarning(tx: Context, staffId: StaffId, account: ModeratedAccount, appeal: AppealRow): Promise<void> {
  await overruleWarning(tx, appeal.account_warning_id)
  if (isModerationState(appeal.action)) await liftLocked(tx, staffId, account, appeal.action)
  if (appeal.action !== 'mark_statuses_as_sensitive') return
  for (const id of await ownStatusIds(tx, account.id, appeal.status_ids)) await editStatus(tx, id, { sensitive: false })
  for (const { id, uri } of await findCollectionsOf(tx, account.id, appeal.collection_ids))
    if (uri === null) await changeCollection(tx, account.id, id, { sensitive: false })
}

async function mailDecision(
  tx: Context,
  { username, user }: ModeratedAccount,
  { created_at }: AppealRow,
  approved: boolean,
): Promise<void> {
  if (!user) return
  const about = { username, date: isoDay(created_at) }
  await enqueueMail(tx, await writeMail(tx, user.email, approved ? 'appeal_approved' : 'appeal_rejected', about))
}
