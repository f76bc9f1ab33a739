// What helps to judge a report: the history of both accounts, similar reports, the rules, and what staff wrote and did.
import type { Context } from '../../context.ts'
import type { AuditAction } from '../../domain/audit/audit-log.ts'
import type { AuditEntry } from '../../domain/audit/audit-entries.ts'
import type { AccountHistory, FollowsBetween, SimilarReport } from '../../domain/reports/history.ts'
import { MAX_NOTE, type ReportNote } from '../../domain/reports/notes.ts'
import type { ReportRow } from '../../domain/reports/reports.ts'
import type { ServerRule } from '../../domain/server/rules.ts'
import { field } from '../../html/forms.ts'
import { fillText, numberText } from '../../html/texts.ts'
import { html, type Html, type HtmlValue } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { handleOf } from '../names.ts'
import { actButton } from './forms.ts'
import { dataTable, staffChip, stateBadge, timeAgo } from './kit.ts'
import { reportLink } from './report-head.ts'
import { colonOf } from '../../messages/colon.ts'

type Both = { target: AccountHistory; account: AccountHistory; follows: FollowsBetween }

const acctOfRow = ({ username, domain }: { username: string; domain: string | null }): string =>
  domain === null ? username : `${username}@${domain}`

/** Both accounts side by side. */
export function historyCard(t: Texts, ctx: Context, { target, account, follows }: Both): Html {
  const { reports } = t.admin
  const number = (count: number): string => numberText(t, count)
  const list = (query: string, count: number): HtmlValue =>
    count === 0 ? number(0) : html`<a href="${`/admin/reports?${query}`}">${number(count)}</a>`
  const follow = (since: Date | null): HtmlValue =>
    since === null ? t.admin.frame.no : html`${t.admin.frame.yes} <span class="muted">(${timeAgo(t, since)})</span>`
  const facts: [string, (each: AccountHistory) => HtmlValue][] = [
    [reports.joined, (each) => timeAgo(t, each.created_at)],
    [reports.account_state, (each) => accountState(t, each)],
    [reports.strikes_so_far, (each) => strikesText(t, each)],
    [
      reports.reports_about,
      (each) =>
        fillText(reports.reports_counts, {
          resolved: list(`target_account_id=${each.id}&resolved=1`, each.reported - each.reported_unresolved),
          unresolved: list(`target_account_id=${each.id}`, each.reported_unresolved),
        }),
    ],
    [
      reports.reports_by,
      (each) =>
        html`${number(each.filed)}${each.filed > 0 && html` <span class="muted">(${reports.upheld({ count: each.filed_upheld })})</span>`}`,
    ],
    [reports.statuses, (each) => number(each.statuses)],
    [reports.followers, (each) => number(each.followers)],
    [reports.follows_other, (each) => follow(each === target ? follows.back : follows.there)],
  ]
  const handle = (each: AccountHistory): string => handleOf(ctx, { acct: acctOfRow(each) })
  return html`<section class="card"><h2>${reports.history}</h2>
<div class="table-scroll"><table class="report-history"><thead><tr><td></td>${[target, account].map(
    (each, i) =>
      html`<th scope="col"><span class="muted">${i === 0 ? reports.target : reports.reporter}</span> <bdi>${handle(each)}</bdi></th>`,
  )}</tr></thead>
<tbody>${facts.map(([label, cell]) => html`<tr><th scope="row">${label}</th>${[target, account].map((each) => html`<td>${cell(each)}</td>`)}</tr>`)}</tbody></table></div></section>`
}

function accountState(t: Texts, account: AccountHistory): HtmlValue {
  const { states } = t.admin.reports
  if (account.suspended_at) return stateBadge(states.suspended, 'bad')
  if (account.disabled) return stateBadge(states.disabled, 'bad')
  if (account.silenced_at) return stateBadge(states.silenced, 'warning')
  return account.sensitized_at ? stateBadge(states.sensitized, 'warning') : states.active
}

const strikesText = (t: Texts, { strikes, last_strike_at: last }: AccountHistory): HtmlValue =>
  last === null
    ? numberText(t, strikes)
    : html`${numberText(t, strikes)} <span class="muted">(${timeAgo(t, last)})</span>`

type Similar = { path: string; report: ReportRow; similar: readonly SimilarReport[]; unresolved: number }

/** Other reports about the same account. */
export function similarCard(t: Texts, ctx: Context, csrf: Html, { path, report, similar, unresolved }: Similar): Html {
  const { reports } = t.admin
  const table = dataTable(t, {
    caption: reports.similar,
    rows: similar,
    empty: html`<p class="muted">${reports.no_similar}</p>`,
    columns: [
      {
        label: reports.report,
        kind: 'main',
        cell: (row) => reportLink(t, row),
      },
      { label: reports.reporter, cell: (row) => html`<bdi>${handleOf(ctx, { acct: acctOfRow(row) })}</bdi>` },
      { label: reports.shared_posts, kind: 'number', cell: (row) => numberText(t, row.shared) },
      { label: reports.outcome, cell: (row) => similarOutcome(t, row) },
    ],
  })
  return html`<section class="card"><h2>${reports.similar}</h2>
${table}
${unresolved > 1 && html`<div class="actions">${actButton(csrf, { action: `${path}/resolve_all`, label: reports.resolve_all({ count: unresolved }) })}</div>`}
${similar.length > 0 && html`<p class="after"><a href="${`/admin/reports?target_account_id=${report.target_account_id}&resolved=1`}">${reports.all_about}</a></p>`}</section>`
}

function similarOutcome(t: Texts, { action_taken_at: taken, outcome }: SimilarReport): Html {
  const { reports } = t.admin
  if (outcome !== null) return stateBadge(reports.strikes[outcome], 'bad')
  return taken ? stateBadge(reports.no_action) : stateBadge(reports.unresolved, 'warning')
}

/** The rules that the report names first; the others to look up. */
export function rulesCard(t: Texts, rules: readonly ServerRule[], namedIds: readonly string[]): Html | null {
  const { reports } = t.admin
  if (rules.length === 0) return null
  const item = ({ text, hint }: ServerRule): Html =>
    html`<li><strong dir="auto">${text}</strong>${hint !== '' && html`<p class="muted" dir="auto">${hint}</p>`}</li>`
  const [named, others] = [
    rules.filter(({ id }) => namedIds.includes(id)),
    rules.filter(({ id }) => !namedIds.includes(id)),
  ]
  return html`<section class="card"><h2>${reports.rules}</h2>
${named.length > 0 ? html`<p>${reports.rules_named}</p><ul>${named.map(item)}</ul>` : html`<p class="muted">${reports.no_rules_named}</p>`}
${others.length > 0 && html`<details><summary>${reports.other_rules({ count: others.length })}</summary><ul>${others.map(item)}</ul></details>`}</section>`
}

type Notes = { path: string; notes: readonly ReportNote[]; typed: string; problem: string | null }

/** The notes of staff, for each other. */
export function notesCard(t: Texts, csrf: Html, { path, notes, typed, problem }: Notes): Html {
  const { reports } = t.admin
  return html`<section class="card"><h2>${reports.notes}</h2>
${notes.map(
  ({ id, content, account_id: accountId, username, created_at: at }) =>
    html`<article class="excerpt"><p class="excerpt-head">${staffChip(t, accountId === null || username === null ? null : { id: accountId, username }, { gone: true })} ${timeAgo(t, at)}</p>
<p class="excerpt-text" dir="auto">${content}</p>
<div class="compact">${actButton(csrf, { action: `${path}/notes/delete`, label: reports.delete_note, hidden: { note_id: id }, about: content.slice(0, 60) })}</div></article>`,
)}
<form method="post" action="${path}/notes">${csrf}
${field(t, { label: reports.note, name: 'note', type: 'textarea', value: typed, required: true, maxLength: MAX_NOTE, hint: reports.note_hint, error: problem })}
<div class="actions"><button class="secondary">${reports.add_note}</button></div>
</form></section>`
}

/** The acts of staff on the report. */
export function stepsCard(t: Texts, entries: readonly AuditEntry[]): Html | null {
  if (entries.length === 0) return null
  const { actions } = t.admin.operations.audit
  const items = entries.map(({ account_id: id, username, action, created_at: at }) => {
    const who = staffChip(t, id === null || username === null ? null : { id, username })
    return html`<li>${timeAgo(t, at)} · ${who}${colonOf(t.language)}${Object.hasOwn(actions, action) ? actions[action as AuditAction] : action}</li>`
  })
  return html`<section class="card"><h2>${t.admin.reports.what_happened}</h2><ul>${items}</ul></section>`
}
