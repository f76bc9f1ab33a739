import type { Context } from '../context.ts'
import { newestPage, type Pagination } from '../db/page.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { readStatusEntities } from '../entities/status-presenter.ts'
import type { Status } from '../entities/status.ts'
import { html, type Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import type { Texts } from '../messages/pages.ts'
import { renderStatus } from './status-article.ts'

const PAGE_SIZE = 20

/** The page that `?max_id=` selects. */
export function pageBefore(cursor: unknown): Pagination {
  return { ...newestPage(PAGE_SIZE), maxId: typeof cursor === 'string' && isId(cursor) ? cursor : null }
}

/** In the order of `ids`, as `viewer` may see them. */
export async function readStatuses(
  ctx: Context,
  ids: readonly string[],
  viewer: MaybeViewer = null,
): Promise<Status[]> {
  return readStatusEntities(ctx, viewer, ids)
}

/** The pinned posts come first. */
export function renderFeed(t: Texts, ctx: Context, posts: readonly Status[], pinned: readonly Status[] = []): Html {
  const above = new Set(pinned.map(({ id }) => id))
  const articles = [
    ...pinned.map((status) => renderStatus(t, ctx, status, { pinned: true })),
    ...posts.filter(({ id }) => !above.has(id)).map((status) => renderStatus(t, ctx, status)),
  ]
  if (articles.length === 0) return html`<p class="card muted">${t.posts.none}</p>`
  return html`<ul class="feed">${articles.map((article) => html`<li>${article}</li>`)}</ul>`
}

/** Links to older posts, and back to the newest. */
export const renderPaging = (
  { posts: t }: Texts,
  address: string,
  ids: readonly string[],
  page: Pagination,
): Html | null => pagingLinks({ label: t.pages, first: t.newest, next: t.older }, address, ids, page)

/** Links to the next page, and back to the first. `ids` are those of the whole page, shown or not. */
export function pagingLinks(
  t: { label: string; first: string; next: string },
  address: string,
  ids: readonly string[],
  page: Pagination,
): Html | null {
  const last = ids.length >= page.limit ? ids.at(-1) : undefined
  if (!last && page.maxId === null) return null
  const first = page.maxId !== null && html`<a class="button secondary" href="${address}">${t.first}</a>`
  const next = last && html`<a class="button secondary" rel="next" href="${`${address}?max_id=${last}`}">${t.next}</a>`
  return html`<nav class="actions" aria-label="${t.label}">${first}${next}</nav>`
}
