import type { Warning } from '../../domain/moderation/warnings.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { dataTable, stateBadge, timeAgo } from './kit.ts'

/** The warnings of one account. */
export function warningTable(t: Texts, warnings: readonly Warning[]): Html {
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
      { label: texts.message, cell: ({ text }) => text && html`<span dir="auto">${text.slice(0, 500)}</span>` },
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
