import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { getLocalCollection } from '../domain/collections/visible.ts'
import { assetUrl, collectionUrl } from '../domain/server/addresses.ts'
import { readAccountEntities } from '../entities/account-presenter.ts'
import { presentCollections, type Collection } from '../entities/collection.ts'
import { NotFound } from '../lib/errors.ts'
import { fillText } from '../html/texts.ts'
import { html, raw, safeUrl } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import { htmlToText } from '../lib/sanitize.ts'
import { nameHtml, nameOf, personLine } from './names.ts'
import { siteHead } from './open-graph.ts'
import { beginVisit, sendPage, type PublicVisit } from './public-page.ts'

type Request = { Params: { id: string } }

/** `GET /collections/:id`; the ActivityPub address of the collection redirects browsers there. */
export function registerCollection(app: FastifyInstance, ctx: Context): void {
  app.get<Request>('/collections/:id', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply)
    if (!isId(request.params.id)) throw new NotFound()
    await getLocalCollection(ctx, visit.session, request.params.id)
    const [collection] = await presentCollections(ctx, null, [request.params.id])
    if (!collection) throw new NotFound()
    return showCollection(visit, collection)
  })
  app.get<Request>('/users/:username/collections/:id', async (request, reply) => {
    if (!isId(request.params.id)) throw new NotFound()
    await getLocalCollection(ctx, null, request.params.id)
    return reply.redirect(collectionUrl(ctx, request.params.id))
  })
}

async function showCollection(visit: PublicVisit, collection: Collection): Promise<FastifyReply> {
  const { ctx, settings, texts } = visit
  const t = texts.collection
  const ids = [collection.account_id, ...collection.items.flatMap(({ account_id }) => account_id ?? [])]
  const accounts = await readAccountEntities(ctx, [...new Set(ids)])
  const owner = accounts.find(({ id }) => id === collection.account_id)
  if (!owner) throw new NotFound()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const members = collection.items.flatMap(({ account_id }) => byId.get(account_id ?? '') ?? [])
  const title = t.title({ name: collection.name, owner: nameOf(owner) })
  return sendPage(visit, {
    title,
    document: collection.uri,
    noindex: !collection.discoverable || !owner.indexable,
    head: siteHead({
      siteName: settings.site_title,
      title,
      description: htmlToText(collection.description),
      url: collectionUrl(ctx, collection.id),
      document: collection.uri,
      image: assetUrl(ctx, 'icon.png'),
    }),
    body: html`<h1><bdi>${collection.name}</bdi></h1>
<p class="muted">${fillText(t.by, { owner: html`<a href="${safeUrl(owner.url)}">${nameHtml(owner)}</a>` })} ${collection.tag && html`<a href="${safeUrl(collection.tag.url)}">#${collection.tag.name}</a>`}</p>
${collection.sensitive && html`<p class="notice info">${t.sensitive}</p>`}
${collection.description && html`<div class="content" dir="auto">${raw(collection.description)}</div>`}
${members.length === 0 ? html`<p class="muted">${t.empty}</p>` : html`<ul class="feed">${members.map((account) => html`<li>${personLine(ctx, account)}</li>`)}</ul>`}`,
  })
}
