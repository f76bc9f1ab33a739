// Feeds (RSS 2.0) of profiles and hashtags: the newest public posts.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { contentTypeOf } from '../domain/media/types.ts'
import { accountUrl, tagUrl } from '../domain/server/addresses.ts'
import { listAccountStatuses } from '../domain/statuses/account-statuses.ts'
import { readTag } from '../domain/timelines/public.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import type { MediaAttachment } from '../entities/media-attachment.ts'
import type { Status } from '../entities/status.ts'
import { isUnchanged } from '../http/headers.ts'
import { NotFound } from '../lib/errors.ts'
import { html, raw, type Html } from '../lib/html.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { emojiHtml, emojiText, handleOf, nameOf } from './names.ts'
import type { Texts } from '../messages/pages.ts'
import { pageBefore, readStatuses } from './feed.ts'
import { summarise } from './open-graph.ts'
import { getPublicAccount, VIEWS } from './profile-views.ts'
import { beginVisit, cacheHeaders, type PublicVisit } from './public-page.ts'
import { publicOrigin } from './tag.ts'

type Feed = { title: string; description: string; link: string; image: string | null; posts: readonly Status[] }

export function registerFeeds(app: FastifyInstance, ctx: Context): void {
  for (const { route, viewOf } of VIEWS)
    app.get<{ Params: { username: string; tag?: string } }>(`/@:username${route}.rss`, async (request, reply) => {
      const visit = await beginVisit(ctx, request, reply)
      const row = await getPublicAccount(ctx, request.params.username)
      const { path, label, filter } = viewOf(request.params)
      const account = await readAccountEntity(ctx, row.id)
      const shown = { ...filter, accountId: row.id, excludeReblogs: true }
      const ids = await listAccountStatuses(ctx, null, shown, pageBefore(null))
      const { profile } = visit.texts
      const handle = handleOf(ctx, account)
      return sendFeed(visit, {
        title: nameOf(account),
        description:
          path === '' ? profile.feed({ handle }) : profile.list_of({ list: label(visit.texts), name: handle }),
        link: accountUrl(ctx, account.username) + path,
        image: account.avatar,
        posts: await readStatuses(ctx, ids),
      })
    })
  app.get<{ Params: { name: string } }>('/tags/:name.rss', async (request, reply) => {
    const visit = await beginVisit(ctx, request, reply)
    const name = normaliseTag(request.params.name)
    const origin = publicOrigin(visit.settings)
    const ids = origin && name ? await readTag(ctx, null, pageBefore(null), { hashtag: name, ...origin }) : []
    if (ids.length === 0) throw new NotFound()
    const posts = await readStatuses(ctx, ids)
    const title = `#${name}`
    return sendFeed(visit, {
      title,
      description: visit.texts.tag.description({ tag: title }),
      link: tagUrl(ctx, name),
      image: null,
      posts,
    })
  })
}

/** Characters that XML cannot carry, even escaped. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are meant
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

async function sendFeed({ request, reply, session, texts }: PublicVisit, feed: Feed): Promise<FastifyReply> {
  const { title, description, link, image, posts } = feed
  const newest = posts[0] && html`<lastBuildDate>${new Date(posts[0].created_at).toUTCString()}</lastBuildDate>`
  const imageXml = image && html`<image><url>${image}</url><title>${title}</title><link>${link}</link></image>`
  const xml = html`${raw('<?xml version="1.0" encoding="UTF-8"?>')}
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${title}</title>
<description>${description}</description>
<link>${link}</link>
${imageXml}${newest}
${posts.map((status) => item(texts, status))}</channel>
</rss>
`
  void reply.headers(cacheHeaders(session)).type('application/rss+xml; charset=utf-8')
  const body = xml.toString().replaceAll(NOT_XML, '').toWellFormed()
  return isUnchanged(request, reply, body, null) ? reply.status(304).send() : reply.send(body)
}

const MAX_TITLE = 100

function item(texts: Texts, status: Status): Html {
  const { uri, url, created_at, content, spoiler_text, sensitive, media_attachments, poll, tags, emojis } = status
  const warning =
    spoiler_text && html`<p><strong>${texts.posts.content_warning}</strong> ${emojiText(spoiler_text, emojis)}</p><hr>`
  const options =
    poll && html`<ul>${poll.options.map(({ title }) => html`<li>${emojiText(title, poll.emojis)}</li>`)}</ul>`
  const rating = html`<media:rating scheme="urn:simple">${sensitive ? 'adult' : 'nonadult'}</media:rating>`
  const link = url ?? uri
  return html`<item>
<guid isPermaLink="true">${link}</guid>
<link>${link}</link>
<pubDate>${new Date(created_at).toUTCString()}</pubDate>
<title>${spoiler_text || summarise(texts, status, MAX_TITLE)}</title>
<description>${String(warning) + String(emojiHtml(raw(content), emojis)) + String(options ?? '')}</description>
${media_attachments.map((attachment) => mediaElements(attachment, rating))}${tags.map(({ name }) => html`<category>${name}</category>\n`)}</item>
`
}

/** Podcast apps read the enclosure. A length of 0 means that it is not known. */
function mediaElements({ url, preview_url, type, description }: MediaAttachment, rating: Html): Html | null {
  if (url === null) return null
  const mediaType = contentTypeOf(new URL(url).pathname)
  const isPlayed = type === 'audio' || type === 'video'
  return html`${isPlayed && mediaType && html`<enclosure url="${url}" length="0" type="${mediaType}"/>\n`}<media:content url="${url}"${mediaType && html` type="${mediaType}"`} medium="${type === 'gifv' ? 'video' : type}">
${rating}
${description && html`<media:description type="plain">${description}</media:description>`}
${preview_url && html`<media:thumbnail url="${preview_url}"/>`}
</media:content>
`
}
