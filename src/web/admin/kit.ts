// The parts of which the pages of the administration are made. Forms are in `forms.ts`, plots in `charts.ts`.
import type { Context } from '../../context.ts'
import type { Pagination } from '../../db/page.ts'
import { isPublicOrUnlisted } from '../../domain/statuses/visibility.ts'
import type { Account } from '../../entities/account.ts'
import type { Status } from '../../entities/status.ts'
import { longDate, momentOf, numberText } from '../../html/texts.ts'
import { html, safeUrl, type Html, type HtmlValue } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import type { Texts } from '../../messages/pages.ts'
import { emojiText, handleOf } from '../names.ts'
import { renderMedia } from '../status-attachments.ts'

// Addresses

/** The parameters that a link changes. Null removes one. */
export type QueryChanges = Readonly<Record<string, string | null>>

const CURSORS = ['max_id', 'min_id', 'since_id', 'page', 'notice']

/** The address of `path` with the filters of `query` and some of them changed. Starts at the first page again. */
export function withQuery(path: string, query: unknown, changes: QueryChanges = {}): string {
  const present = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '' && !CURSORS.includes(pair[0]),
  )
  const params = new URLSearchParams(present)
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') params.delete(name)
    else params.set(name, value)
  return params.size > 0 ? `${path}?${params}` : path
}

// Lists

export type Column<Row> = {
  label: string
  cell: (row: Row) => HtmlValue
  /** `main` names the row, and heads its card on a phone; `number` is aligned at its end; `actions` has no visible label. */
  kind?: 'main' | 'number' | 'actions'
}

export type DataTable<Row> = {
  /** Read by screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Shown in place of a table without rows. */
  empty: Html
  /** Checkboxes for `batchForm`. `label` names the row for screen readers. */
  select?: { value: (row: Row) => string; label: (row: Row) => string; checked?: (row: Row) => boolean }
}

/** A table; on a phone, each row is a card. */
export function dataTable<Row>(t: Texts, { caption, columns, rows, empty, select }: DataTable<Row>): Html {
  if (rows.length === 0) return empty
  const { frame } = t.admin
  const heads = columns.map(({ label, kind }) => {
    const text = kind === 'actions' ? html`<span class="visually-hidden">${label}</span>` : label
    return html`<th scope="col" role="columnheader"${kind === 'number' && html` class="number"`}>${text}</th>`
  })
  const box = (row: Row): Html | undefined =>
    select &&
    html`<td role="cell" class="select-cell"><label><input type="checkbox" name="ids[]" value="${select.value(row)}"${select.checked?.(row) && html` checked`} aria-label="${frame.select_row({ label: select.label(row) })}"></label></td>`
  const lines = rows.map((row) => {
    const cells = columns.map(({ label, kind, cell }) =>
      kind === 'main'
        ? html`<th scope="row" role="rowheader" class="main-cell">${cell(row)}</th>`
        : html`<td role="cell"${kind && html` class="${kind}"`}${kind !== 'actions' && html` data-label="${label}"`}><div>${cell(row)}</div></td>`,
    )
    return html`<tr role="row">${box(row)}${cells}</tr>`
  })
  const corner =
    select &&
    html`<th scope="col" role="columnheader" class="select-cell"><span class="visually-hidden">${frame.select}</span></th>`
  return html`<div class="data-table"><table role="table"><caption class="visually-hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${corner}${heads}</tr></thead>
<tbody role="rowgroup">${lines}</tbody></table></div>`
}

/** Stands in place of an empty list, and says what the list is for and what to do. */
export function emptyState(empty: { title: string; text?: string; action?: { href: string; label: string } }): Html {
  const { title, text, action } = empty
  return html`<div class="empty-state"><p><strong>${title}</strong></p>${text && html`<p class="muted">${text}</p>`}${
    action && html`<p><a class="button secondary" href="${action.href}">${action.label}</a></p>`
  }</div>`
}

/** Stands in place of a list without rows: nothing matches its filters, or it is empty. */
export const noRows = (
  texts: { no_match_title: string; no_match_text: string; empty_title: string; empty_text: string },
  { isFiltered }: { isFiltered: boolean },
): Html =>
  isFiltered
    ? emptyState({ title: texts.no_match_title, text: texts.no_match_text })
    : emptyState({ title: texts.empty_title, text: texts.empty_text })

/** The page that the address asks for, by the ids of its rows. */
export function pageOfQuery(query: unknown, limit = 40): Pagination {
  const cursor = (name: string): string | null => {
    const value = (query as Record<string, unknown>)[name]
    return typeof value === 'string' && isId(value) ? value : null
  }
  return { limit, maxId: cursor('max_id'), minId: cursor('min_id'), sinceId: null }
}

/** "Newer" and "Older" below a list that is sorted by ids, newest first. `ids` are those of the rows shown. */
export function pager(
  t: Texts,
  path: string,
  query: unknown,
  { ids, page }: { ids: readonly string[]; page: Pagination },
): Html | null {
  const { frame } = t.admin
  const [first, last] = [ids[0], ids.at(-1)]
  const isFull = ids.length >= page.limit
  // After "Newer", there is something older; after "Older", something newer.
  const newer = first !== undefined && (page.maxId !== null || (page.minId !== null && isFull))
  const older = last !== undefined && (page.minId !== null || isFull)
  return pagerLinks(t, [
    newer && { href: withQuery(path, query, { min_id: first }), label: frame.newer },
    older && { href: withQuery(path, query, { max_id: last }), label: frame.older },
  ])
}

/** The page that the address asks for, counted from 0, of lists that have no cursor. */
export function pageNumberOf(query: unknown, last = 1000): number {
  const { page } = query as Record<string, unknown>
  return typeof page === 'string' && /^\d{1,6}$/.test(page) ? Math.min(Number(page), last) : 0
}

/** "Previous page" and "Next page" below a list with numbered pages. */
export function numberedPager(
  t: Texts,
  path: string,
  query: unknown,
  { page, hasMore }: { page: number; hasMore: boolean },
): Html | null {
  const { frame } = t.admin
  return pagerLinks(t, [
    page > 0 && { href: withQuery(path, query, { page: page > 1 ? String(page - 1) : null }), label: frame.previous },
    hasMore && { href: withQuery(path, query, { page: String(page + 1) }), label: frame.next },
  ])
}

function pagerLinks(t: Texts, links: readonly (false | { href: string; label: string })[]): Html | null {
  const shown = links.filter((link) => link !== false)
  if (shown.length === 0) return null
  return html`<nav class="pager" aria-label="${t.admin.frame.pages_label}">${shown.map(({ href, label }) => html`<a class="button secondary" href="${href}">${label}</a>`)}</nav>`
}

// Filters

export type LinkFilter = {
  label: string
  /** The name of the query parameter. */
  name: string
  /** The empty value is the one without the parameter. */
  options: readonly { value: string; label: string; count?: number }[]
}

/** Filters of one click each. They keep one another, and the rest of the query. */
export function filterLinks(t: Texts, path: string, query: unknown, filters: readonly LinkFilter[]): Html {
  const current = query as Record<string, unknown>
  return html`<div class="filters">${filters.map(({ label, name, options }) => {
    const sent = current[name]
    const value = typeof sent === 'string' ? sent : ''
    const items = options.map((option) => {
      const mark = option.value === value && html` aria-current="true"`
      const count = option.count !== undefined && html` <span class="count">${numberText(t, option.count)}</span>`
      return html`<li><a href="${withQuery(path, query, { [name]: option.value })}"${mark}>${option.label}${count}</a></li>`
    })
    return html`<nav aria-label="${label}"><span class="filter-label" aria-hidden="true">${label}</span><ul>${items}</ul></nav>`
  })}</div>`
}

/** Links to pages that belong together. `current` is the path of the page shown. */
export function tabs(label: string, current: string, links: readonly { href: string; label: string }[]): Html {
  return html`<nav class="tabs" aria-label="${label}">${links.map(
    (link) => html`<a href="${link.href}"${link.href === current && html` aria-current="page"`}>${link.label}</a>`,
  )}</nav>`
}

// Facts

/** Names with values; entries with a value of null, false or '' are left out. */
export function definitions(entries: readonly (readonly [label: HtmlValue, value: HtmlValue])[]): Html {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
  return html`<dl class="definitions">${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}

export type Figure = { label: string; value: HtmlValue; hint?: HtmlValue; href?: string; plot?: Html }

/** Large numbers side by side, each with a link to what it counts, and a sparkline. */
export function figures(entries: readonly Figure[]): Html {
  return html`<dl class="figures">${entries.map(
    ({ label, value, hint, href, plot }) =>
      html`<div><dt>${label}</dt><dd><span class="figure">${href ? html`<a href="${href}">${value}</a>` : value}</span>${plot}${hint && html`<span class="muted">${hint}</span>`}</dd></div>`,
  )}</dl>`
}

/** A short word with a colour: the state of something. */
export function stateBadge(text: string, kind: 'good' | 'bad' | 'warning' | 'plain' = 'plain'): Html {
  return html`<span class="badge state ${kind}">${text}</span>`
}

/** "3 hours ago", with the moment as its title; the moment itself after a month. */
export function timeAgo(t: Texts, date: Date): Html {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000)
  if (Math.abs(seconds) >= 30 * 86_400) return momentOf(t, date)
  return html`<time datetime="${date.toISOString()}" title="${longDate(t, date)}">${distanceText(t, seconds)}</time>`
}

/** `seconds`: negative for the past. */
function distanceText(t: Texts, seconds: number): string {
  const size = Math.abs(seconds)
  if (size < 45) return t.posts.just_now
  const format = new Intl.RelativeTimeFormat(t.language, { numeric: 'auto' })
  if (size < 3600) return format.format(Math.trunc(seconds / 60) || Math.sign(seconds), 'minute')
  if (size < 86_400) return format.format(Math.trunc(seconds / 3600), 'hour')
  return format.format(Math.trunc(seconds / 86_400), 'day')
}

/** How far a job is. Without a total, it shows that something runs. */
export function progressBar(t: Texts, label: string, done: number, total: number | null): Html {
  if (total === null) return html`<progress aria-label="${label}"></progress>`
  return html`<div class="progress"><progress aria-label="${label}" value="${done}" max="${Math.max(total, 1)}"></progress><span>${t.admin.frame.progress({ done, total })}</span></div>`
}

// People and posts

export type ChipAccount = Pick<Account, 'id' | 'acct'> &
  Partial<Pick<Account, 'avatar' | 'display_name' | 'emojis' | 'username'>>

/** Whether the viewer may open the page of the account. */
type Linked = { linked?: boolean }

/** An account with its avatar, linked to its page in the administration. */
export function accountChip(ctx: Context, account: ChipAccount, { linked = true }: Linked = {}): Html {
  const name = account.display_name?.trim()
  const chip = html`${
    account.avatar &&
    html`<img class="avatar small" src="${account.avatar}" alt="" width="28" height="28" loading="lazy">`
  }<span>${name && html`<bdi class="chip-name">${emojiText(name, account.emojis ?? [])}</bdi> `}<bdi class="handle">${handleOf(ctx, account)}</bdi></span>`
  return linked
    ? html`<a class="account-chip" href="/admin/accounts/${account.id}">${chip}</a>`
    : html`<span class="account-chip">${chip}</span>`
}

/** The member of staff who did something; null is the command line, or a deleted account (`gone`). */
export function staffChip(
  t: Texts,
  account: { id: string; username: string } | null,
  { gone = false, linked = true }: Linked & { gone?: boolean } = {},
): Html {
  if (!account) return html`<span class="muted">${gone ? t.admin.frame.gone : t.admin.frame.command_line}</span>`
  const handle = html`<bdi>@${account.username}</bdi>`
  return linked ? html`<a href="/admin/accounts/${account.id}">${handle}</a>` : handle
}

const EXCERPT = 400

/** A post in short: who, when, how its text begins, and its media behind a click. For staff, also when it is not public. */
export function statusExcerpt(
  t: Texts,
  ctx: Context,
  status: Omit<Status, 'reblog'>,
  { author = true, linked = true }: Linked & { author?: boolean } = {},
): Html {
  const { frame } = t.admin
  const text = htmlToText(status.content).trim()
  const shown = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
  const lang = status.language && html` lang="${status.language}"`
  const isPublic = isPublicOrUnlisted(status.visibility)
  const address = isPublic ? safeUrl(status.url ?? status.uri) : null
  return html`<article class="excerpt">
<p class="excerpt-head">${author && accountChip(ctx, status.account, { linked })} ${timeAgo(t, new Date(status.created_at))}${!isPublic && html` ${stateBadge(frame.private_status)}`}</p>
${status.spoiler_text !== '' && html`<p class="excerpt-warning"><strong><bdi${lang}>${status.spoiler_text}</bdi></strong></p>`}
<p class="excerpt-text" dir="auto"${lang}>${shown || html`<span class="muted">${frame.no_text}</span>`}</p>
${status.media_attachments.length > 0 && html`<details class="excerpt-media"><summary>${frame.files({ count: status.media_attachments.length })}</summary>${renderMedia(t, status.media_attachments)}</details>`}
${address && html`<p><a href="${address}" rel="noopener">${frame.open_status}</a></p>`}
</article>`
}
