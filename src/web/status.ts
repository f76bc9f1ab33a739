// The page of a post with its thread, as whoever is signed in may see them, and the small page that other sites embed.

import type { StatusRow } from '../domain/statuses/find.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseHandle } from '../ap/handle.ts'
import type { Context } from '../context.ts'
import { findAccount } from '../domain/accounts/find.ts'
import { statusUrl } from '../domain/server/addresses.ts'
import { findThread } from '../domain/statuses/context.ts'
import { getTargetStatus, type MaybeViewer } from '../domain/statuses/visibility.ts'
import type { Status } from '../entities/status.ts'
import { NotFound } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import { ownAddress } from './elsewhere.ts'
import { readStatuses } from './feed.ts'
import { statusHead, statusTitle } from './open-graph.ts'
import { beginVisit, cacheHeaders, sendPage, type Visit } from './public-page.ts'
import { renderStatus } from './status-article.ts'
import { embedHeaders, renderEmbed } from './status-embed.ts'

type Request = { Params: { username: string; id: string } }

/** `GET /@:username/:id` and `/@:username/:id/embed`. */
export function registerStatusPages(app: FastifyInstance, ctx: Context): void {
  app.get<Request>('/@:username/:id', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply)
    const row = await findStatus(ctx, visit.session, request.params)
    const address = await addressElsewhere(ctx, row, request.params)
    if (address) return reply.header('cache-control', 'no-store').redirect(address)
    return showStatus(visit, row)
  })
  app.get<Request>('/@:username/:id/embed', async (request, reply) => {
    const { session, settings } = await beginVisit(ctx, request, reply)
    // On other sites there is nobody to show more to.
    const row = await findStatus(ctx, null, request.params)
    if (await addressElsewhere(ctx, row, request.params)) throw new NotFound()
    const [status] = await readStatuses(ctx, [row.id])
    if (!status) throw new NotFound()
    return reply
      .headers({ ...embedHeaders(ctx), ...cacheHeaders(session) })
      .send(renderEmbed(ctx, settings.site_title, status))
  })
}

/** The post, if whoever looks may read it; of a boost the boosted one. Throws NotFound. */
async function findStatus(ctx: Context, viewer: MaybeViewer, { id }: Request['Params']): Promise<StatusRow> {
  if (!isId(id)) throw new NotFound()
  return getTargetStatus(ctx, viewer, id)
}

/** Where the post is at home, if not at the address that was asked for. Throws NotFound where we may not lead. */
async function addressElsewhere(ctx: Context, row: StatusRow, asked: Request['Params']): Promise<string | null> {
  if (row.local) {
    const handle = parseHandle(asked.username)
    const isHere =
      handle?.username.toLowerCase() === row.username.toLowerCase() && handle.domain === null && asked.id === row.id
    return isHere ? null : statusUrl(ctx, row.username, row.id)
  }
  const author = await findAccount(ctx, row.account_id)
  const address = author && ownAddress(author, row.url ?? row.uri)
  if (!address) throw new NotFound()
  return address
}

async function showStatus(visit: Visit, row: StatusRow): Promise<FastifyReply> {
  const { ctx, settings, session } = visit
  const { ancestors, descendants } = await findThread(ctx, session, row, false)
  const thread = await readStatuses(ctx, [...ancestors, row.id, ...descendants], session)
  const main = thread.find(({ id }) => id === row.id)
  if (!main) throw new NotFound()
  const answers = new Set(descendants)
  const items = thread.map((status) => {
    const isAnswer = answers.has(status.id)
    return html`<li${isAnswer && html` class="answer"`}>${renderStatus(ctx, status, { main: status === main })}</li>`
  })
  return sendPage(visit, {
    title: statusTitle(ctx, main),
    head: statusHead(ctx, settings.site_title, main),
    noindex: !main.account.indexable || main.visibility !== 'public',
    body: html`<h1 class="visually-hidden">${statusTitle(ctx, main)}</h1>
<ol class="thread">${items}</ol>
${invitation(visit, main)}`,
  })
}

function invitation({ session }: Visit, status: Status): Html | null {
  if (session) return null
  const address = status.url ?? status.uri
  return html`<p class="hint">To answer, boost or favourite this from your own server, search there for <a href="${address}">${address}</a></p>`
}
