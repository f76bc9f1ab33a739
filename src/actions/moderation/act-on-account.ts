import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { writeMail } from '../../domain/auth/mails.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { findCollectionsOf } from '../../domain/collections/collections.ts'
import { labelOf, lockModerated, type ModeratedAccount } from '../../domain/moderation/accounts.ts'
import { ownStatusIds } from '../../domain/moderation/moderated-statuses.ts'
import { findPreset, MAX_WARNING_TEXT } from '../../domain/moderation/presets.ts'
import { storeDisabled, storeSensitized, storeSilenced } from '../../domain/moderation/states.ts'
import { getReport } from '../../domain/reports/reports.ts'
import { type WarningAction, insertWarning } from '../../domain/moderation/warnings.ts'
import { Conflict, invalid, invalidField, NotFound, problemOf } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { notify } from '../notifications/notify.ts'
import { enqueueMail } from '../server/mail.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { resolveReports } from './handle-reports.ts'
import { isModerationState } from './lift.ts'
import { moderateCollections } from './moderate-collections.ts'
import { moderateStatuses } from './moderate-statuses.ts'
import { publishUserState, suspendAccount } from './suspend.ts'

export type AccountAction = {
  accountId: string
  type: WarningAction
  /** Stands after the text of the preset. */
  text?: string | undefined
  warningPresetId?: string | undefined
  /** Becomes resolved; must be about the account. */
  reportId?: string | undefined
  /** The report must be unresolved; without one, the account must not be in the state yet. The preset must still exist. */
  once?: boolean | undefined
  /** Statuses of the account: those to change, or those that the warning is about. */
  statusIds?: readonly string[] | undefined
  /** As `statusIds`, for collections of the account. */
  collectionIds?: readonly string[] | undefined
  /** True unless given. */
  sendMail?: boolean | undefined
}

/**
 * Warns an account, and changes its state, or its statuses and collections. A local one is notified, and can appeal. Throws
 * Forbidden unless the staff member outranks it, NotFound for an unknown account, preset or report, Conflict where `once` does
 * not hold, Invalid for a text that is too long and for `disable` of an account without a user.
 */
export async function actOnAccount(
  ctx: Context,
  staffId: StaffId,
  action: AccountAction,
): Promise<{ warningId: string }> {
  await checkOutranks(ctx, staffId, action.accountId)
  return ctx.transaction(async (tx) => {
    const account = await lockModerated(tx, action.accountId)
    if (action.type === 'disable' && !account.user) throw invalid([problemOf('type', message('invalid'))])
    const text = await textOf(tx, action)
    const statusIds = await changeStatuses(tx, action)
    const collectionIds = await changeCollections(tx, staffId, account, action)
    const { accountId, type, reportId = null } = action
    await resolveAnsweredReports(tx, staffId, action)
    const warningId = await insertWarning(tx, staffId, {
      accountId,
      action: type,
      text,
      reportId,
      statusIds,
      collectionIds,
    })
    await recordAction(tx, staffId, account, { type, warningId, reportId })
    // A suspended account gets no notifications. Created before the suspension, this one is there if the account is restored.
    const { sendMail = true } = action
    await notifyOfWarning(tx, account, { warningId, type, text, statusIds, collectionIds, sendMail })
    const isChanged = await CHANGE_STATE[type](tx, account)
    if (action.once && reportId === null && isModerationState(type) && !isChanged)
      throw new Conflict(message('state_changed'))
    if (account.user) await triggerWebhooks(tx, 'account.updated', accountId)
    return { warningId }
  })
}

/** The report that the action answers; all reports about an account whose state it changes, as in Mastodon. */
async function resolveAnsweredReports(
  tx: Context,
  staffId: StaffId,
  { accountId, type, reportId, once = false }: AccountAction,
): Promise<void> {
  if (reportId !== undefined) {
    if ((await getReport(tx, reportId)).target_account_id !== accountId) throw new NotFound()
    const resolved = await resolveReports(tx, staffId, { reportId })
    if (once && resolved.length === 0) throw new Conflict(message('state_changed'))
  }
  if (isModerationState(type)) await resolveReports(tx, staffId, { targetAccountId: accountId })
}

async function textOf(tx: Context, { text = '', warningPresetId, once = false }: AccountAction): Promise<string> {
  const preset = warningPresetId === undefined ? null : await findPreset(tx, warningPresetId)
  if (warningPresetId !== undefined && preset === null)
    throw once ? new Conflict(message('state_changed')) : new NotFound()
  const whole = [preset?.text ?? '', text.trim()].filter((part) => part !== '').join('\n\n')
  if ([...whole].length > MAX_WARNING_TEXT) throw invalidField('text', 'too_long', { count: MAX_WARNING_TEXT })
  return whole
}

/** Returns the statuses that the warning is about. */
async function changeStatuses(tx: Context, { accountId, type, statusIds = [] }: AccountAction): Promise<string[]> {
  if (type === 'delete_statuses' || type === 'mark_statuses_as_sensitive')
    return moderateStatuses(tx, { type, accountId, statusIds })
  return ownStatusIds(tx, accountId, statusIds)
}

/** Returns the collections that the warning is about. */
async function changeCollections(
  tx: Context,
  staffId: StaffId,
  account: ModeratedAccount,
  { accountId, type, reportId, collectionIds = [] }: AccountAction,
): Promise<string[]> {
  const collections = await findCollectionsOf(tx, accountId, collectionIds)
  const ids = collections.map(({ id }) => id)
  if (type !== 'delete_statuses' && type !== 'mark_statuses_as_sensitive') return ids
  const changed = await moderateCollections(tx, { type, accountId, collectionIds: ids })
  if (type === 'delete_statuses' && reportId !== undefined)
    await insertAuditEntries(
      tx,
      staffId,
      collections.map(({ id, name }) => ({
        type: 'report' as const,
        action: 'delete_collection' as const,
        id: reportId,
        label: labelOf(account),
        details: { collection_id: id, name },
      })),
    )
  return changed
}

const noChange = async (): Promise<void> => {}

const CHANGE_STATE: Record<WarningAction, (tx: Context, account: ModeratedAccount) => Promise<unknown>> = {
  none: noChange,
  delete_statuses: noChange,
  mark_statuses_as_sensitive: noChange,
  sensitive: (tx, { id }) => storeSensitized(tx, id),
  silence: (tx, { id }) => storeSilenced(tx, id),
  suspend: suspendAccount,
  disable: async (tx, { id, user }) => {
    const isChanged = await storeDisabled(tx, id)
    if (isChanged && user) await publishUserState(tx, user.id)
    return isChanged
  },
}

async function recordAction(
  tx: Context,
  staffId: StaffId,
  account: ModeratedAccount,
  { type, warningId, reportId }: { type: WarningAction; warningId: string; reportId: string | null },
): Promise<void> {
  const details = { warning_id: warningId, ...(reportId === null ? {} : { report_id: reportId }) }
  await insertAuditEntry(tx, staffId, {
    type: 'account',
    action: type === 'none' ? 'warn' : type,
    id: account.id,
    label: labelOf(account),
    details,
  })
}

type WrittenWarning = {
  warningId: string
  type: WarningAction
  text: string
  statusIds: readonly string[]
  collectionIds: readonly string[]
  sendMail: boolean
}

async function notifyOfWarning(
  tx: Context,
  { id, username, user }: ModeratedAccount,
  { warningId, type, text, statusIds, collectionIds, sendMail }: WrittenWarning,
): Promise<void> {
  if (!user) return
  await notify(tx, { type: 'moderation_warning', subjectId: warningId, to: [id] })
  if (!sendMail) return
  const link = `${tx.config.baseUrl}/disputes/strikes/${warningId}`
  const about = { username, action: type, text, statuses: statusIds.length, collections: collectionIds.length, link }
  await enqueueMail(tx, await writeMail(tx, user.email, 'warning', about))
}
