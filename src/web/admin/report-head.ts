// The facts of a report, and how it is handled: its assignee and its category.
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import type { ReportStrike } from '../../domain/reports/history.ts'
import { REPORT_CATEGORIES, type ReportCategory, type ReportRow } from '../../domain/reports/reports.ts'
import type { ServerRule } from '../../domain/server/rules.ts'
import type { Account } from '../../entities/account.ts'
import { select } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import { actButton } from './forms.ts'
import { accountChip, definitions, staffChip, stateBadge, timeAgo } from './kit.ts'

/** `#12 · Spam` */
export const reportTitle = (t: Texts, { id, category }: { id: string; category: ReportCategory }): string =>
  `#${id} · ${t.admin.reports.categories[category]}`

/** Its title as a link, and when it was filed. */
export const reportLink = (t: Texts, report: { id: string; category: ReportCategory; created_at: Date }): Html =>
  html`<span class="report-title"><a href="/admin/reports/${report.id}">${reportTitle(t, report)}</a> <span class="muted">${timeAgo(t, report.created_at)}</span></span>`

/** As a badge. */
export function reportState(t: Texts, report: Pick<ReportRow, 'action_taken_at' | 'assigned_account_id'>): Html {
  const { reports } = t.admin
  if (report.action_taken_at) return stateBadge(reports.resolved, 'good')
  return report.assigned_account_id === null
    ? stateBadge(reports.unresolved, 'warning')
    : stateBadge(reports.in_progress)
}

export type StaffName = Pick<Accounts, 'id' | 'username'>

type Head = {
  report: ReportRow
  account: Account | undefined
  target: Account | undefined
  assigned: StaffName | null
  resolvedBy: StaffName | null
  strikes: readonly ReportStrike[]
}

export function headCard(t: Texts, ctx: Context, head: Head): Html {
  const { report, account, target, assigned, resolvedBy, strikes } = head
  const { reports } = t.admin
  const resolved = report.action_taken_at && html`${timeAgo(t, report.action_taken_at)} · ${staffChip(t, resolvedBy)}`
  return html`<section class="card"><h2>${reports.report}</h2>
${definitions([
  [reports.state, reportState(t, report)],
  [reports.target, target && accountChip(ctx, target)],
  [reports.reporter, account && accountChip(ctx, account)],
  [reports.date, timeAgo(t, report.created_at)],
  [reports.category, reports.categories[report.category]],
  [
    reports.comment,
    report.comment === ''
      ? html`<span class="muted">${reports.no_comment}</span>`
      : html`<p class="report-comment" dir="auto">${report.comment}</p>`,
  ],
  [reports.forwarded_to, report.forwarded_to.length > 0 && report.forwarded_to.join(', ')],
  [reports.assigned, assigned && staffChip(t, assigned)],
  [reports.resolved, resolved],
  [reports.outcome, strikes.length > 0 && strikes.map((strike) => strikeLine(t, strike))],
])}</section>`
}

function strikeLine(t: Texts, { action, text, created_at: at, overruled_at: overruled }: ReportStrike): Html {
  const { reports } = t.admin
  return html`<p>${stateBadge(reports.strikes[action], 'bad')} ${timeAgo(t, at)}${overruled && html` ${stateBadge(reports.overruled)}`}</p>${text !== '' && html`<p class="report-comment" dir="auto">${text}</p>`}`
}

type Handling = {
  path: string
  report: ReportRow
  rules: readonly ServerRule[]
  staff: readonly StaffName[]
  ownId: string
  problems: FormProblems
}

/** The report's assignee, and its category with rules. */
export function handlingCard(t: Texts, csrf: Html, handling: Handling): Html {
  const { path, report, rules, staff, ownId, problems } = handling
  const { reports } = t.admin
  const assign = (label: string, accountId: string): Html =>
    actButton(csrf, { action: `${path}/assign`, label, hidden: { account_id: accountId } })
  const others = staff.filter(({ id }) => id !== ownId)
  const options = [
    { value: '', label: reports.no_one },
    ...others.map(({ id, username }) => ({ value: id, label: `@${username}` })),
  ]
  const value = report.assigned_account_id === ownId ? '' : report.assigned_account_id
  return html`<section class="card report-handling"><h2>${reports.handling}</h2>
<div class="rows compact">${report.assigned_account_id === ownId ? assign(reports.unassign, '') : assign(reports.assign_to_me, ownId)}</div>
${
  others.length > 0 &&
  html`<form method="post" action="${path}/assign">${csrf}
${select({ label: reports.assigned, name: 'account_id', value, options })}
<div class="actions"><button class="secondary">${reports.assign}</button></div></form>`
}
<form method="post" action="${path}/update">${csrf}
${select({ label: reports.category, name: 'category', value: report.category, error: problems.of('category') ?? problems.of('rule'), options: REPORT_CATEGORIES.map((name) => ({ value: name, label: reports.categories[name] })) })}
${rules.length > 0 && ruleBoxes(t, report, rules)}
<div class="actions"><button class="secondary">${reports.save_category}</button></div>
</form></section>`
}

const ruleBoxes = (t: Texts, report: ReportRow, rules: readonly ServerRule[]): Html =>
  html`<fieldset><legend>${t.admin.reports.violated_rules}</legend><p class="hint">${t.admin.reports.violated_rules_hint}</p>${rules.map(
    ({ id, text }) => html`<div class="choice">
<input type="checkbox" id="rule-${id}" name="rule_ids[]" value="${id}"${report.rule_ids.includes(id) && html` checked`}>
<label for="rule-${id}">${text}</label>
</div>`,
  )}</fieldset>`
