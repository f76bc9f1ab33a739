// The lists of trends for their review.
import type { ProviderRow } from '../../domain/trends/review.ts'
import type { readLinkTrends, readStatusTrends, readTagTrends } from '../../entities/admin/trend-rows.ts'
import { dayOf, languageName, numberText } from '../../html/texts.ts'
import { html, safeUrl, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { sparkline } from './charts.ts'
import { mayOpenAccounts, type AdminVisit } from './frame.ts'
import { dataTable, stateBadge, statusExcerpt } from './kit.ts'

type Row<Read extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<Read>>[number]
type TagRow = Row<typeof readTagTrends>
type LinkRow = Row<typeof readLinkTrends>
type StatusRow = Row<typeof readStatusTrends>

/** `trendable`: null without a decision. `by`: the decision on the author or publisher, which then counts. */
function decision(t: Texts, trendable: boolean | null, by?: { decided: boolean | null; text: string }): Html {
  const texts = t.admin.trends
  const inherited = trendable === null ? (by?.decided ?? null) : null
  const state = trendable ?? inherited
  if (state === null) return stateBadge(texts.pending, 'warning')
  const badge = state ? stateBadge(texts.approved, 'good') : stateBadge(texts.rejected, 'bad')
  return inherited === null ? badge : html`${badge} <span class="muted">${by?.text}</span>`
}

/** Today's number beside the shape of the week. */
export const useOf = (t: Texts, accounts: readonly number[]): Html =>
  html`<span class="use">${sparkline(accounts)} ${numberText(t, accounts.at(-1) ?? 0)}</span>`

export const trendLanguage = (t: Texts, code: string | null): string =>
  code === null || code === 'und' ? t.admin.trends.unknown : languageName(t, code)

const rankOf = (t: Texts, rank: number | null): string => (rank === null ? '–' : numberText(t, rank))

export function tagTable(t: Texts, rows: readonly TagRow[], empty: Html): Html {
  const texts = t.admin.trends
  return dataTable<TagRow>(t, {
    caption: texts.tags,
    rows,
    empty,
    select: { value: ({ id }) => id, label: ({ display_name }) => `#${display_name}` },
    columns: [
      {
        label: texts.name,
        kind: 'main',
        cell: (row) => html`<a href="/admin/tags/${row.id}"><bdi>#${row.display_name}</bdi></a>`,
      },
      { label: texts.rank, kind: 'number', cell: ({ rank }) => rankOf(t, rank) },
      { label: texts.use, kind: 'number', cell: ({ accounts }) => useOf(t, accounts) },
      { label: texts.language, cell: ({ language }) => trendLanguage(t, language) },
      { label: texts.decision, cell: ({ trendable }) => decision(t, trendable) },
    ],
  })
}

export function linkTable(t: Texts, rows: readonly LinkRow[], empty: Html): Html {
  const texts = t.admin.trends
  return dataTable<LinkRow>(t, {
    caption: texts.links,
    rows,
    empty,
    select: { value: ({ id }) => id, label: ({ title }) => title },
    columns: [
      {
        label: texts.name,
        kind: 'main',
        cell: ({ title, url, link, domain, provider_name }) => {
          const address = safeUrl(url || link)
          const name = html`<bdi>${title}</bdi>`
          return html`${address ? html`<a href="${address}" rel="noopener noreferrer">${name}</a>` : name}<br><span class="muted"><bdi>${provider_name || domain}</bdi></span>`
        },
      },
      { label: texts.rank, kind: 'number', cell: ({ rank }) => rankOf(t, rank) },
      { label: texts.use, kind: 'number', cell: ({ accounts }) => useOf(t, accounts) },
      { label: texts.language, cell: ({ language }) => trendLanguage(t, language) },
      {
        label: texts.decision,
        cell: ({ trendable, by_publisher: decided }) =>
          decision(t, trendable, { decided, text: texts.publisher_decided }),
      },
    ],
  })
}

export function statusTable({ t, ctx, staff }: AdminVisit, rows: readonly StatusRow[], empty: Html): Html {
  const texts = t.admin.trends
  return dataTable<StatusRow>(t, {
    caption: texts.statuses,
    rows,
    empty,
    select: { value: ({ status }) => status.id, label: ({ status }) => `@${status.account.acct}` },
    columns: [
      {
        label: texts.statuses,
        kind: 'main',
        cell: ({ status }) => statusExcerpt(t, ctx, status, { linked: mayOpenAccounts(staff) }),
      },
      { label: texts.rank, kind: 'number', cell: ({ rank }) => rankOf(t, rank) },
      { label: texts.language, cell: ({ status }) => trendLanguage(t, status.language) },
      {
        label: texts.decision,
        cell: ({ trendable, by_author: decided }) => decision(t, trendable, { decided, text: texts.author_decided }),
      },
    ],
  })
}

export function providerTable(t: Texts, rows: readonly ProviderRow[], empty: Html): Html {
  const texts = t.admin.trends
  return dataTable<ProviderRow>(t, {
    caption: texts.publishers,
    rows,
    empty,
    select: { value: ({ id }) => id, label: ({ domain }) => domain },
    columns: [
      { label: texts.publisher, kind: 'main', cell: ({ domain }) => html`<bdi>${domain}</bdi>` },
      { label: texts.first_seen, cell: ({ created_at }) => dayOf(t, created_at) },
      { label: texts.decision, cell: ({ trendable }) => decision(t, trendable) },
    ],
  })
}
