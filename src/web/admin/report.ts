// One report: what was reported, what to know about it, and what can be done.
import type { FastifyReply } from 'fastify'
import {
  addReportNote,
  assignReport,
  removeReportedStatus,
  removeReportNote,
  reopenReport,
  resolveReports,
  updateReport,
} from '../../actions/moderation/handle-reports.ts'
import type { Context } from '../../context.ts'
import { newestPage } from '../../db/page.ts'
import { listAuditEntries } from '../../domain/audit/audit-entries.ts'
import { isStaffWith, listStaffWith } from '../../domain/auth/staff.ts'
import { listPresets } from '../../domain/moderation/presets.ts'
import {
  findAccountHistories,
  findFollowsBetween,
  findNextReport,
  listSimilarReports,
  listStrikesOfReport,
} from '../../domain/reports/history.ts'
import { findDeletedReported } from '../../domain/reports/deleted-statuses.ts'
import { listReportNotes } from '../../domain/reports/notes.ts'
import {
  type ReportCategory,
  type ReportRow,
  MAX_REPORTED,
  REPORT_CATEGORIES,
  getReport,
} from '../../domain/reports/reports.ts'
import { type ServerRule, findRules, listRules, ruleIn } from '../../domain/server/rules.ts'
import { readAccountMap } from '../../entities/account-presenter.ts'
import { presentCollections } from '../../entities/collection.ts'
import { readStatusEntities } from '../../entities/status-presenter.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { Invalid, invalid, NotFound, problemOf } from '../../lib/errors.ts'
import { html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actButton } from './forms.ts'
import { type AdminRouter, type AdminVisit, sendAdminPage } from './frame.ts'
import { historyCard, notesCard, rulesCard, similarCard, stepsCard } from './report-context.ts'
import { type StaffName, handlingCard, headCard, reportTitle } from './report-head.ts'
import { outcomeForm, saveOutcome, typedIn } from './report-outcome.ts'
import { addStatuses, showStatuses } from './report-statuses.ts'

const PATH = '/admin/reports'

export function registerReportPage(router: AdminRouter): void {
  router.get(`${PATH}/next`, showNext)
  router.get(`${PATH}/:id`, (visit) => showReport(visit))
  router.get(`${PATH}/:id/statuses`, (visit) => showStatuses(visit, pathId(visit)))
  router.post(`${PATH}/:id/statuses`, (visit) => addStatuses(visit, pathId(visit)))
  router.post(`${PATH}/:id/outcome`, (visit) => saveOutcome(visit, pathId(visit), showReport))
  act(router, 'assign', 'assigned', async ({ ctx, staff, request }, id) =>
    assignReport(ctx, staff.accountId, id, await assigneeOf(ctx, textParam(request.body, 'account_id'))),
  )
  act(router, 'update', 'updated', ({ ctx, staff, request }, id) =>
    updateReport(ctx, staff.accountId, id, changesIn(request.body)),
  )
  act(router, 'statuses/remove', 'updated', ({ ctx, staff, request }, id) =>
    removeReportedStatus(ctx, staff.accountId, id, textParam(request.body, 'status_id')),
  )
  act(router, 'reopen', 'reopened', ({ ctx, staff }, id) => reopenReport(ctx, staff.accountId, id))
  act(router, 'resolve_all', 'resolved', async ({ ctx, staff }, id) => {
    const { target_account_id: targetAccountId } = await getReport(ctx, id)
    await ctx.transaction((tx) => resolveReports(tx, staff.accountId, { targetAccountId }))
  })
  act(router, 'notes', 'noted', ({ ctx, staff, request }, id) =>
    addReportNote(ctx, staff.accountId, id, textParam(request.body, 'note')),
  )
  act(router, 'notes/delete', 'note_deleted', ({ ctx, staff, request }, id) => {
    const noteId = textParam(request.body, 'note_id')
    if (!isId(noteId)) throw new NotFound()
    return removeReportNote(ctx, staff.accountId, id, noteId)
  })
}

/** Those of the forms on the page, by what their problems are about. */
const PARAMETERS: Readonly<Record<string, string>> = { text: 'note', rule: 'category' }

type Save = (visit: AdminVisit, id: string) => Promise<unknown>

/** A form on the page. It leads back to the page, with a notice or with its problem. */
function act(router: AdminRouter, path: string, notice: string, save: Save): void {
  router.post(`${PATH}/:id/${path}`, async (visit) => {
    const id = pathId(visit)
    try {
      await save(visit, id)
    } catch (error) {
      return showReport(
        visit,
        problemsOf(visit.t, error, (field) => PARAMETERS[field] ?? field),
      )
    }
    return visit.reply.redirect(`${PATH}/${id}?notice=${notice}`, 303)
  })
}

/** A member of staff who may manage reports; null for no one. Throws Invalid for anyone else. */
async function assigneeOf(ctx: Context, id: string): Promise<string | null> {
  if (id === '') return null
  if (!isId(id) || !(await isStaffWith(ctx, id, 'manage_reports')))
    throw invalid([problemOf('account', message('invalid'))])
  return id
}

function changesIn(body: unknown): { category: ReportCategory; ruleIds: string[] } {
  const category = REPORT_CATEGORIES.find((name) => name === textParam(body, 'category'))
  if (category === undefined) throw new Invalid(message('parameters_invalid'))
  const { rule_ids: ids } = (body ?? {}) as Record<string, unknown>
  const chosen = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && isId(id)) : []
  // The boxes stay checked when another category is chosen.
  return { category, ruleIds: category === 'violation' ? chosen.slice(0, MAX_REPORTED) : [] }
}

async function showNext({ ctx, request, reply, staff }: AdminVisit): Promise<FastifyReply> {
  const after = textParam(request.query, 'after')
  const id = await findNextReport(ctx, staff.accountId, isId(after) ? after : '0')
  return reply.redirect(id === null ? PATH : `${PATH}/${id}`)
}

async function showReport(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request, staff } = visit
  const { reports } = t.admin
  const report = await getReport(ctx, pathId(visit))
  const facts = await readFacts(visit, report)
  const { account, target } = facts
  const path = `${PATH}/${report.id}`
  const resolved = report.action_taken_at !== null
  const next = `${PATH}/next?after=${report.id}`
  const isNote = request.url.endsWith('/notes')
  const nextLink = html`<a class="button secondary" href="${next}">${reports.next}</a>`
  return sendAdminPage(visit, {
    title: `${reports.report} ${reportTitle(t, report)}`,
    back: { href: PATH, label: reports.all },
    actions: html`${resolved && html`${reports.is_resolved} `}${facts.hasNext && nextLink}`,
    notices: reports.notices,
    problems,
    body: (csrf) => html`<div class="columns">
${headCard(t, ctx, { ...facts, report })}
${facts.history && historyCard(t, ctx, facts.history)}
</div>
${target && outcomeForm(t, ctx, csrf, { ...facts, path, target, typed: typedIn(request.body), problems: isNote ? noProblems : problems, resolved, missing: report.status_ids.length - facts.statuses.length })}
${resolved && html`<section class="card"><p>${reports.reopen_hint}</p>${actButton(csrf, { action: `${path}/reopen`, label: reports.reopen })}</section>`}
${account && similarCard(t, ctx, csrf, { path, report, similar: facts.similar, unresolved: facts.history?.target.reported_unresolved ?? 0 })}
<div class="columns">
<div>${rulesCard(t, facts.rules, report.rule_ids)}
${notesCard(t, csrf, { path, notes: facts.notes, typed: textParam(request.body, 'note'), problem: isNote ? problems.of('text') : null })}</div>
<div>${handlingCard(t, csrf, { path, report, rules: facts.rules, staff: facts.staff, ownId: staff.accountId, problems })}
${stepsCard(t, facts.steps)}</div>
</div>`,
  })
}

/** The rules of the server, and deleted ones that the report names, in the reader's language where they have it. */
async function readRules({ ctx, t }: AdminVisit, namedIds: readonly string[]): Promise<ServerRule[]> {
  const [current, named] = await Promise.all([listRules(ctx), findRules(ctx, namedIds)])
  const deleted = named.filter(({ id }) => !current.some((rule) => rule.id === id))
  return [...current, ...deleted].map((rule) => ({ ...rule, ...ruleIn(rule, t.language) }))
}

/** Everything that the page shows besides the report. */
async function readFacts(visit: AdminVisit, report: ReportRow) {
  const { ctx, staff: me } = visit
  const { id, account_id: accountId, target_account_id: targetId } = report
  const names = [report.assigned_account_id, report.action_taken_by_account_id].filter((name) => name !== null)
  const [
    accounts,
    histories,
    follows,
    statuses,
    deleted,
    similar,
    rules,
    collections,
    notes,
    steps,
    strikes,
    presets,
    staff,
    next,
  ] = await Promise.all([
    readAccountMap(ctx, [accountId, targetId, ...names]),
    findAccountHistories(ctx, [accountId, targetId]),
    findFollowsBetween(ctx, accountId, targetId),
    readStatusEntities(ctx, { accountId: me.accountId }, report.status_ids),
    findDeletedReported(ctx, report.status_ids),
    listSimilarReports(ctx, report),
    readRules(visit, report.rule_ids),
    presentCollections(ctx, { accountId: me.accountId }, report.collection_ids),
    listReportNotes(ctx, id),
    listAuditEntries(ctx, { type: 'report', targetId: id }, newestPage(100)),
    listStrikesOfReport(ctx, id),
    listPresets(ctx),
    listStaffWith(ctx, 'manage_reports'),
    findNextReport(ctx, me.accountId, id),
  ])
  const [account, target] = [histories.get(accountId), histories.get(targetId)]
  const staffName = (name: string | null): StaffName | null => (name === null ? null : (accounts.get(name) ?? null))
  return {
    account: accounts.get(accountId),
    target: accounts.get(targetId),
    history: account && target ? { account, target, follows } : null,
    assigned: staffName(report.assigned_account_id),
    resolvedBy: staffName(report.action_taken_by_account_id),
    hasNext: next !== null,
    statuses,
    deleted,
    similar,
    rules,
    collections,
    notes,
    steps,
    strikes,
    presets,
    staff,
  }
}
