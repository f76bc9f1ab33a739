// The page of a post with its thread, as the viewer may see them, and the small page that other sites embed.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseHandle } from '../ap/handle.ts'
import type { Context } from '../context.ts'
import { findAccount } from '../domain/accounts/find.ts'
import { statusUrl } from '../domain/server/addresses.ts'
import { findThread } from '../domain/statuses/context.ts'
import type { StatusRow } from '../domain/statuses/find.ts'
import { type MaybeViewer, getTargetStatus } from '../domain/statuses/visibility.ts'
import type { Status } from '../entities/status.ts'
import { stylesheetPath } from '../html/assets.ts'
import { pageHeaders } from '../html/page.ts'
import { NotFound } from '../lib/errors.ts'
import { fillText } from '../html/texts.ts'
import { type Html, html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import type { Texts } from '../messages/pages.ts'
import { readStatuses } from './feed.ts'
import { statusHead, statusTitle } from './open-graph.ts'
import { type PublicVisit, beginVisit, cacheHeaders, ownAddress, sendPage } from './public-page.ts'
import { renderStatus } from './status-article.ts'

type Request = { Params: { username: string; id: string } }

export function registerStatusPages(app: FastifyInstance, ctx: Context): void {
  app.get<Request>('/@:username/:id', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply)
    const row = await findStatus(ctx, visit.session, request.params)
    const address = await addressElsewhere(ctx, row, request.params)
    if (address) return reply.header('cache-control', 'no-store').redirect(address)
    return showStatus(visit, row)
  })
  app.get<Request>('/@:username/:id/embed', async (request, reply) => {
    const { session, settings, texts } = await beginVisit(ctx, request, reply)
    // Embeds show what is public: other sites have no viewer.
    const row = await findStatus(ctx, null, request.params)
    if (await addressElsewhere(ctx, row, request.params)) throw new NotFound()
    const [status] = await readStatuses(ctx, [row.id])
    if (!status) throw new NotFound()
    return reply
      .headers({ ...embedHeaders(ctx), ...cacheHeaders(session) })
      .send(renderEmbed(texts, ctx, settings.site_title, status))
  })
}

/** For a boost, the boosted post. Throws NotFound unless the viewer may read it. */
async function findStatus(ctx: Context, viewer: MaybeViewer, { id }: Request['Params']): Promise<StatusRow> {
  if (!isId(id)) throw new NotFound()
  return getTargetStatus(ctx, viewer, id)
}

/** The post's own address, if the requested one differs. Throws NotFound where a redirect would not be safe. */
async function addressElsewhere(ctx: Context, row: StatusRow, params: Request['Params']): Promise<string | null> {
  if (row.local) {
    const handle = parseHandle(params.username)
    const isHere =
      handle?.username.toLowerCase() === row.username.toLowerCase() && handle.domain === null && params.id === row.id
    return isHere ? null : statusUrl(ctx, row.username, row.id)
  }
  const author = await findAccount(ctx, row.account_id)
  const address = author && (ownAddress(author, row.url) ?? ownAddress(author, row.uri))
  if (!address) throw new NotFound()
  return address
}

async function showStatus(visit: PublicVisit, row: StatusRow): Promise<FastifyReply> {
  const { ctx, settings, session, texts: t } = visit
  const { ancestors, descendants } = await findThread(ctx, session, row, { withToken: false })
  const thread = await readStatuses(ctx, [...ancestors, row.id, ...descendants], session)
  const main = thread.find(({ id }) => id === row.id)
  if (!main) throw new NotFound()
  const replies = new Set(descendants)
  const items = thread.map((status) => {
    const isReply = replies.has(status.id)
    return html`<li${isReply && html` class="answer"`}>${renderStatus(t, ctx, status, { main: status === main })}</li>`
  })
  return sendPage(visit, {
    title: statusTitle(t, ctx, main),
    head: statusHead(t, ctx, settings.site_title, main),
    document: main.uri,
    noindex: !main.account.indexable || main.visibility !== 'public',
    body: html`<h1 class="visually-hidden">${statusTitle(t, ctx, main)}</h1>
<ol class="thread">${items}</ol>
${invitation(visit, main)}`,
  })
}

function invitation({ session, texts }: PublicVisit, status: Status): Html | null {
  if (session) return null
  const address = status.url ?? status.uri
  const link = html`<a href="${address}"><bdi>${address}</bdi></a>`
  return html`<p class="hint">${fillText(texts.posts.from_own_server, { address: link })}</p>`
}

/** Unlike other pages, any site may show this one in a frame. */
function embedHeaders(ctx: Context): Record<string, string> {
  const { 'x-frame-options': _denied, ...headers } = pageHeaders({ https: ctx.config.https })
  const policy = headers['content-security-policy'] as string
  return { ...headers, 'content-security-policy': policy.replace("frame-ancestors 'none'", 'frame-ancestors *') }
}

/** Links open outside of the frame. */
function renderEmbed(t: Texts, ctx: Context, siteName: string, status: Status): string {
  return String(html`<!doctype html>
<html lang="${t.language}" dir="${t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${statusTitle(t, ctx, status)} · ${siteName}</title>
<base target="_blank">
<link rel="canonical" href="${status.url ?? status.uri}">
<link rel="stylesheet" href="${stylesheetPath}">
</head>
<body class="embed">
<main>
<h1 class="visually-hidden">${statusTitle(t, ctx, status)}</h1>
${renderStatus(t, ctx, status, { main: true })}
<p class="embed-source"><img src="/assets/logo.svg" alt="" width="20" height="20"> <a href="${status.url ?? status.uri}">${t.posts.on_server({ server: siteName })}</a></p>
</main>
</body>
</html>
`)
}
