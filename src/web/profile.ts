// The public profile of somebody of this server, with their posts.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseHandle } from '../ap/handle.ts'
import type { Context } from '../context.ts'
import { lookupHandle, type AccountRow } from '../domain/accounts/find.ts'
import { accountUrl } from '../domain/server/addresses.ts'
import { listAccountStatuses, listPinned, type AccountStatusesFilter } from '../domain/statuses/account-statuses.ts'
import type { Account } from '../entities/account.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { Gone, NotFound } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { ownAddress } from './elsewhere.ts'
import { nameOf } from './emojis.ts'
import { pageBefore, readStatuses, renderFeed, renderPaging } from './feed.ts'
import { profileHead } from './open-graph.ts'
import { movedNotice, profileCard } from './profile-card.ts'
import { beginVisit, sendPage, type Visit } from './public-page.ts'
import { handleOf } from './status-article.ts'

const TABS = [
  { path: '', label: 'Posts' },
  { path: '/with_replies', label: 'Posts and replies' },
  { path: '/media', label: 'Media' },
] as const
type Tab = (typeof TABS)[number]['path']

const FILTERS: Record<Tab, AccountStatusesFilter> = {
  '': { excludeReplies: true },
  '/with_replies': { excludeReblogs: true },
  '/media': { onlyMedia: true },
}

type Request = { Params: { username: string; tag?: string }; Querystring: { max_id?: unknown } }

/** Which of the posts are shown; `path` is where, beneath the profile. */
type View = { path: string; label: string; filter: AccountStatusesFilter }

/** `GET /@:username`, its tabs, and what was posted with a hashtag. */
export function registerProfile(app: FastifyInstance, ctx: Context): void {
  const serve = (path: string, viewOf: (params: Request['Params']) => View): void => {
    app.get<Request>(`/@:username${path}`, async (request, reply) => {
      const visit = await beginVisit(ctx, request, reply)
      const account = await lookupHandle(ctx, request.params.username)
      if (!account) throw new NotFound()
      const elsewhere = redirectFor(ctx, account, request.params.username)
      if (elsewhere) return reply.header('cache-control', 'no-store').redirect(elsewhere)
      if (account.suspended_at) throw new Gone()
      return showProfile(visit, account, viewOf(request.params), request.query.max_id)
    })
  }
  for (const { path, label } of TABS) serve(path, () => ({ path, label, filter: FILTERS[path] }))
  serve('/tagged/:tag', ({ tag: typed = '' }) => {
    const tag = normaliseTag(typed)
    if (tag === '') throw new NotFound()
    const filter = { tagged: tag, excludeReblogs: true }
    return { path: `/tagged/${encodeURIComponent(tag)}`, label: `Posts with #${tag}`, filter }
  })
}

/** People of other servers are at home there; ours have one address. */
function redirectFor(ctx: Context, account: AccountRow, asked: string): string | null {
  if (account.domain === null) return parseHandle(asked)?.domain ? accountUrl(ctx, account.username) : null
  const address = account.suspended_at ? null : ownAddress(account, account.url ?? account.uri)
  if (!address) throw new NotFound()
  return address
}

async function showProfile(visit: Visit, row: AccountRow, view: View, cursor: unknown): Promise<FastifyReply> {
  const { ctx, settings } = visit
  const page = pageBefore(cursor)
  const account = await readAccountEntity(ctx, row.id)
  const [pinned, ids] = await Promise.all([
    view.path === '' && page.maxId === null ? listPinned(ctx, null, row.id, {}, page) : [],
    listAccountStatuses(ctx, null, row.id, view.filter, page),
  ])
  const name = nameOf(account)
  return sendPage(visit, {
    title: `${name} (${handleOf(ctx, account)})`,
    head: profileHead(ctx, settings.site_title, account),
    noindex: !account.indexable,
    body: html`${movedNotice(ctx, account)}
${profileCard(visit.texts, ctx, account)}
${tabs(account, view.path)}
<h2 class="visually-hidden">${view.label} of ${name}</h2>
${renderFeed(ctx, await readStatuses(ctx, ids), await readStatuses(ctx, pinned))}
${renderPaging(accountUrl(ctx, account.username) + view.path, ids, page)}`,
  })
}

function tabs({ username, show_media }: Account, current: string): Html {
  const shown = TABS.filter(({ path }) => show_media || path !== '/media')
  const links = shown.map(
    ({ path, label }) =>
      html`<a href="/@${username}${path}"${path === current && html` aria-current="page"`}>${label}</a>`,
  )
  return html`<nav class="tabs" aria-label="Profile">${links}</nav>`
}
