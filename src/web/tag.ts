import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { assetUrl, tagUrl } from '../domain/server/addresses.ts'
import type { Settings } from '../domain/server/settings.ts'
import { readTag } from '../domain/timelines/public.ts'
import { NotFound } from '../lib/errors.ts'
import { html } from '../lib/html.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { pageBefore, readStatuses, renderFeed, renderPaging } from './feed.ts'
import { siteHead } from './open-graph.ts'
import { beginVisit, sendPage } from './public-page.ts'

type Request = { Params: { name: string }; Querystring: { max_id?: unknown } }

export function registerTag(app: FastifyInstance, ctx: Context): void {
  app.get<Request>('/tags/:name', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply)
    const name = normaliseTag(request.params.name)
    const page = pageBefore(request.query.max_id)
    const origin = publicOrigin(visit.settings)
    const ids = origin && name ? await readTag(ctx, null, page, { hashtag: name, ...origin }) : []
    if (!name || (origin && ids.length === 0 && page.maxId === null)) throw new NotFound()
    const title = `#${name}`
    const { texts: t } = visit
    const description = t.tag.description({ tag: title })
    const url = tagUrl(ctx, name)
    return sendPage(visit, {
      title,
      document: url,
      noindex: true,
      head: siteHead({
        siteName: visit.settings.site_title,
        title,
        description,
        url,
        document: url,
        ...(origin ? { feed: `${url}.rss` } : {}),
        image: assetUrl(ctx, 'icon.png'),
      }),
      body: origin
        ? html`<h1>${title}</h1><p class="muted">${description}</p>${renderFeed(t, ctx, await readStatuses(ctx, ids))}${renderPaging(t, url, ids, page)}`
        : html`<h1>${title}</h1><p class="notice info">${t.tag.members_only({ tag: title })}</p>`,
    })
  })
}

/** The posts with a hashtag that the settings make public; null for none. */
export function publicOrigin(settings: Settings): { local?: boolean; remote?: boolean } | null {
  const local = settings.local_topic_feed_access === 'public'
  const remote = settings.remote_topic_feed_access === 'public'
  if (!local && !remote) return null
  return local && remote ? {} : { local, remote }
}
