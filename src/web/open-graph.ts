// What link previews and search engines read in the head of a public page.

import type { Account } from '../entities/account.ts'
import type { Status } from '../entities/status.ts'
import type { Context } from '../context.ts'
import { contentTypeOf } from '../domain/media/types.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'
import { htmlToText } from '../lib/sanitize.ts'
import type { Texts } from '../messages/pages.ts'
import { handleOf, nameOf } from './names.ts'

const MAX_DESCRIPTION = 500

type Meta = readonly (readonly [property: string, content: string | number | null | undefined])[]

/** `<meta property>` tags, without empty ones. */
function tags(meta: Meta): Html[] {
  return meta
    .filter(([, content]) => content !== null && content !== undefined && content !== '')
    .map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)
}

/** For pages that are not about a single account or post. */
export function siteHead(page: {
  siteName: string
  title: string
  description: string
  url: string
  image: string
  /** The address of the ActivityPub document that the page shows. */
  document?: string
  feed?: string
}): Html {
  const description = excerpt(page.description)
  return html`<link rel="canonical" href="${page.url}">
${page.document && documentLink(page.document)}${page.feed && feedLink(page.feed)}${description && html`<meta name="description" content="${description}">`}
${tags([
  ['og:site_name', page.siteName],
  ['og:type', 'website'],
  ['og:title', page.title],
  ['og:description', description],
  ['og:url', page.url],
  ['og:image', page.image],
])}<meta name="twitter:card" content="summary">`
}

/** `path`: of the view below the profile. */
export function profileHead(ctx: Context, siteName: string, account: Account, path: string): Html {
  const description = excerpt(htmlToText(account.note))
  const url = account.url ?? account.uri
  return html`<link rel="canonical" href="${url}">
${documentLink(account.uri)}${feedLink(`${url}${path}.rss`)}${identityLinks(account)}
${description && html`<meta name="description" content="${description}">`}
${tags([
  ['og:site_name', siteName],
  ['og:type', 'profile'],
  ['og:title', `${nameOf(account)} (${handleOf(ctx, account)})`],
  ['og:description', description],
  ['og:url', url],
  ['og:image', account.avatar],
  ['og:image:alt', account.avatar_description],
  ['profile:username', handleOf(ctx, account).slice(1)],
])}<meta name="twitter:card" content="summary">`
}

/** Leaves out the text behind a content warning, and sensitive media. */
export function statusHead(t: Texts, ctx: Context, siteName: string, status: Status): Html {
  const { account } = status
  const url = status.url ?? status.uri
  const description = describe(t, status)
  const media = status.sensitive ? [] : status.media_attachments.filter(({ url: source }) => source)
  const images = media.filter(({ type }) => type === 'image')
  const played = media.find(({ type }) => ['video', 'gifv', 'audio'].includes(type))
  const isLarge = images.length > 0 || (played && played.type !== 'audio')
  const oembed = `${ctx.config.baseUrl}/api/oembed?url=${encodeURIComponent(url)}&format=json`
  return html`<link rel="canonical" href="${url}">
${documentLink(status.uri)}<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${statusTitle(t, ctx, status)}">
<meta name="description" content="${description}">
${tags([
  ['og:site_name', siteName],
  ['og:type', 'article'],
  ['og:title', `${nameOf(account)} (${handleOf(ctx, account)})`],
  ['og:description', description],
  ['og:url', url],
  // The page itself is in the language of its reader.
  ['og:locale', status.language],
  ['article:published_time', status.created_at],
  ['article:modified_time', status.edited_at],
  ['profile:username', handleOf(ctx, account).slice(1)],
  ...images.flatMap(imageMeta),
  ...(images.length === 0 ? ([['og:image', played?.preview_url ?? account.avatar]] as const) : []),
  ...(played?.url ? playedMeta(played.url, played) : []),
])}<meta name="twitter:card" content="${isLarge ? 'summary_large_image' : 'summary'}">`
}

const documentLink = (address: string): Html =>
  html`<link rel="alternate" type="application/activity+json" href="${address}">\n`

const feedLink = (address: string): Html => html`<link rel="alternate" type="application/rss+xml" href="${address}">\n`

export function statusTitle(t: Texts, ctx: Context, status: Pick<Status, 'account'>): string {
  return t.posts.title({ name: `${nameOf(status.account)} (${handleOf(ctx, status.account)})` })
}

/** The beginning of a post and its poll as plain text, or its content warning. */
function describe(t: Texts, status: Status): string {
  return status.spoiler_text ? `${t.posts.content_warning} ${excerpt(status.spoiler_text)}` : summarise(t, status)
}

/** The beginning of a post and its poll as plain text. Without text, how many files are attached. */
export function summarise(
  { posts: t }: Texts,
  { content, poll, media_attachments: { length: attached } }: Status,
  maxLength = MAX_DESCRIPTION,
): string {
  const choices = poll?.options.map(({ title }) => `○ ${title}`) ?? []
  const text = excerpt([htmlToText(content), ...choices].join(' '), maxLength)
  return text || (attached > 0 ? t.attached({ count: attached }) : '')
}

// A site proves to belong to the account when it links back (rel=me).
function identityLinks(account: Account): Html[] {
  const addresses = account.fields
    .map(({ value }) => safeUrl(htmlToText(value)))
    .filter((url) => url?.startsWith('http'))
  return addresses.map((url) => html`<link rel="me" href="${url}">\n`)
}

function imageMeta(image: Status['media_attachments'][number]): Meta {
  const { width, height } = image.meta?.original ?? {}
  return [
    ['og:image', image.url],
    ['og:image:width', width],
    ['og:image:height', height],
    ['og:image:alt', image.description],
  ]
}

/** Link previews play only what has one of the types that they know. */
function playedMeta(url: string, { type, meta }: Status['media_attachments'][number]): Meta {
  const name = type === 'audio' ? 'og:audio' : 'og:video'
  const { width, height } = meta?.original ?? {}
  return [
    [name, url],
    [`${name}:type`, contentTypeOf(new URL(url).pathname)],
    [`${name}:width`, width],
    [`${name}:height`, height],
  ]
}

function excerpt(text: string, maxLength = MAX_DESCRIPTION): string {
  const line = Array.from(text.replace(/\s+/g, ' ').trim())
  if (line.length <= maxLength) return line.join('')
  const beginning = line.slice(0, maxLength - 1).join('')
  return `${beginning.trimEnd()}…`
}
