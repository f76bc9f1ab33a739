import type { Warning } from '../../domain/moderation/warnings.ts'
import { html, type Html } from '../../lib/html.ts'
import { mayOpen, type AdminVisit } from './frame.ts'
import { dataTable, stateBadge, timeAgo } from './kit.ts'

type Grounds = Pick<Warning, 'report_id' | 'status_ids'>

/** Why an account was warned: a link to the report, where the viewer may open it, and the number of posts. */
export function groundsOf(visit: AdminVisit, { report_id: reportId, status_ids: statusIds }: Grounds): Html {
  const { reports } = visit.t.admin
  const report =
    reportId !== null &&
    mayOpen(visit, '/admin/reports') &&
    html`<a href="/admin/reports/${reportId}">${reports.report} #${reportId}</a> `
  return html`${report}${statusIds.length > 0 && html`<span class="muted">${reports.posts({ count: statusIds.length })}</span>`}`
}

/** The warnings of one account. */
export function warningTable(visit: AdminVisit, warnings: readonly Warning[]): Html {
  const { t } = visit
  const { account: texts } = t.admin.accounts
  const { actions, states, overruled } = t.disputes.strikes
  return dataTable<Warning>(t, {
    caption: texts.warnings,
    rows: warnings,
    empty: html`<p class="muted">${texts.no_warnings}</p>`,
    columns: [
      {
        label: texts.action,
        kind: 'main',
        cell: ({ action, overruled_at }) => html`${actions[action]}${overruled_at && html` ${stateBadge(overruled)}`}`,
      },
      {
        label: texts.message,
        cell: (warning) =>
          html`${warning.text && html`<span dir="auto">${warning.text.slice(0, 500)}</span><br>`}${groundsOf(visit, warning)}`,
      },
      {
        label: texts.appeal,
        cell: ({ appeal }) =>
          appeal &&
          html`${stateBadge(states[appeal.state], appeal.state === 'pending' ? 'warning' : 'plain')} <span dir="auto">${appeal.text.slice(0, 300)}</span>`,
      },
      {
        label: texts.who,
        cell: ({ staff }) => (staff === null ? t.admin.frame.command_line : html`<bdi>@${staff}</bdi>`),
      },
      { label: texts.when, cell: ({ created_at }) => timeAgo(t, created_at) },
    ],
  })
}
