// Acts of staff on reports. Each one writes to the audit log.
import type { Context } from '../../context.ts'
import { getAccountRow } from '../../domain/accounts/find.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { labelOf } from '../../domain/moderation/accounts.ts'
import { MAX_NOTE, deleteReportNote, insertReportNote } from '../../domain/reports/notes.ts'
import { filterOpenStatuses } from '../../domain/reports/reportable.ts'
import {
  type ReportCategory,
  type ReportRow,
  appendReportedStatuses,
  insertReport,
  lockReport,
  markReportUnresolved,
  markReportsResolved,
  removeReportedStatusRow,
  updateReportRow,
} from '../../domain/reports/reports.ts'
import { listRules } from '../../domain/server/rules.ts'
import { invalidField, NotFound, requiredText } from '../../lib/errors.ts'
import { triggerWebhooks } from '../server/webhooks.ts'

type ReportAction = 'assign' | 'unassign' | 'reopen' | 'update' | 'add_note' | 'delete_note'

/** Writes the act to the audit log, and triggers webhooks unless it is about a note: the entity of a report has no notes. */
async function recordAct(
  tx: Context,
  staffId: StaffId,
  report: Pick<ReportRow, 'id' | 'target_account_id'>,
  { action, details = {} }: { action: ReportAction; details?: Record<string, unknown> },
): Promise<void> {
  const label = labelOf(await getAccountRow(tx, report.target_account_id))
  await insertAuditEntry(tx, staffId, { type: 'report', action, id: report.id, label, details })
  if (!action.endsWith('note')) await triggerWebhooks(tx, 'report.updated', report.id)
}

const changesOf = (report: ReportRow) => ({
  category: report.category,
  ruleIds: report.rule_ids,
  assignedAccountId: report.assigned_account_id,
})

/**
 * Opens a report by a staff member, assigned to them, about posts that they found: its page is where staff act on posts. Ignores
 * posts that are not public or unlisted. Returns its id. Throws NotFound when none is left, and for a suspended account.
 */
export const openReport = (
  ctx: Context,
  staffId: string,
  { targetAccountId, statusIds }: { targetAccountId: string; statusIds: readonly string[] },
): Promise<string> =>
  ctx.transaction(async (tx) => {
    const { suspended_at: suspended } = await getAccountRow(tx, targetAccountId)
    const found = await filterOpenStatuses(tx, targetAccountId, statusIds)
    if (suspended || found.length === 0) throw new NotFound()
    const report = { accountId: staffId, targetAccountId, category: 'other', comment: '', statusIds: found } as const
    const id = await insertReport(tx, report)
    if (id === null) throw new Error('a report without a URI was not stored')
    await triggerWebhooks(tx, 'report.created', id)
    await assignReport(tx, staffId, id, staffId)
    return id
  })

/** `assigneeId`: the account of a staff member, or null for none. Throws NotFound. */
export const assignReport = (ctx: Context, staffId: StaffId, id: string, assigneeId: string | null): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    if (report.assigned_account_id === assigneeId) return
    await updateReportRow(tx, id, { ...changesOf(report), assignedAccountId: assigneeId })
    await recordAct(tx, staffId, report, { action: assigneeId === null ? 'unassign' : 'assign' })
  })

/**
 * Absent members stay as they are, and so does the report when nothing changes. Rules belong to the category `violation`: another
 * category removes them. Throws NotFound, and Invalid for unknown rules, or rules together with another category.
 */
export const updateReport = (
  ctx: Context,
  staffId: StaffId,
  id: string,
  changes: { category?: ReportCategory | undefined; ruleIds?: readonly string[] | undefined },
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    const category = changes.category ?? report.category
    const ruleIds = changes.ruleIds ?? (category === 'violation' ? report.rule_ids : [])
    if (category !== 'violation' && ruleIds.length > 0) throw invalidField('rule', 'must_be_blank')
    // Those that it names may have been deleted since.
    await checkRules(
      tx,
      ruleIds.filter((ruleId) => !report.rule_ids.includes(ruleId)),
    )
    const isSame = new Set(ruleIds).symmetricDifference(new Set(report.rule_ids)).size === 0
    if (category === report.category && isSame) return
    await updateReportRow(tx, id, { ...changesOf(report), category, ruleIds })
    const details = { category: [report.category, category], rule_ids: [report.rule_ids, ruleIds] }
    await recordAct(tx, staffId, report, { action: 'update', details })
  })

/**
 * Adds posts of the reported account, which the report then names. Ignores those that are not public or unlisted, unless they
 * were removed from it.
 */
export const addReportedStatuses = (
  ctx: Context,
  staffId: StaffId,
  id: string,
  statusIds: readonly string[],
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    const reported = report.removed_status_ids
    const added = await filterOpenStatuses(tx, report.target_account_id, statusIds, { reported })
    if (added.length === 0) return
    await appendReportedStatuses(tx, id, added)
    await recordAct(tx, staffId, report, { action: 'update', details: { status_ids: added } })
  })

/** The report then no longer names the post, which itself stays, until it is added again. Throws NotFound. */
export const removeReportedStatus = (ctx: Context, staffId: StaffId, id: string, statusId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    if (!report.status_ids.includes(statusId)) throw new NotFound()
    await removeReportedStatusRow(tx, id, statusId)
    await recordAct(tx, staffId, report, { action: 'update', details: { removed_status_ids: [statusId] } })
  })

/** Throws Invalid for rules that the server does not have. */
export async function checkRules(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = new Set((await listRules(ctx)).map(({ id }) => id))
  if (!ids.every((id) => known.has(id))) throw invalidField('rule', 'rules_unknown')
}

/** Resolves those that are unresolved: one report, or all about an account. Returns their ids. */
export async function resolveReports(
  tx: Context,
  staffId: StaffId,
  which: { reportId: string } | { targetAccountId: string },
): Promise<string[]> {
  const targetId =
    'reportId' in which ? (await lockReport(tx, which.reportId)).target_account_id : which.targetAccountId
  const ids = await markReportsResolved(tx, staffId, which)
  if (ids.length === 0) return []
  const label = labelOf(await getAccountRow(tx, targetId))
  await insertAuditEntries(
    tx,
    staffId,
    ids.map((id) => ({ type: 'report' as const, action: 'resolve' as const, id, label })),
  )
  await triggerWebhooks(tx, 'report.updated', ...ids)
  return ids
}

/** Does nothing for an unresolved report. Throws NotFound. */
export const reopenReport = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    if (await markReportUnresolved(tx, id)) await recordAct(tx, staffId, report, { action: 'reopen' })
  })

/** Throws NotFound for an unknown report, Invalid for an empty or long note. */
export const addReportNote = (ctx: Context, staffId: StaffId, id: string, content: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    const text = requiredText('text', content, MAX_NOTE)
    await insertReportNote(tx, { reportId: id, accountId: staffId, content: text })
    await recordAct(tx, staffId, report, { action: 'add_note' })
  })

/** Throws NotFound. */
export const removeReportNote = (ctx: Context, staffId: StaffId, id: string, noteId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const report = await lockReport(tx, id)
    if (!(await deleteReportNote(tx, id, noteId))) throw new NotFound()
    await recordAct(tx, staffId, report, { action: 'delete_note' })
  })
