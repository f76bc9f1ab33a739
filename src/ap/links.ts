import { asArray, asObject, isHttpUrl, languageTextOf, maxLineLength, textOf } from './normalise.ts'
import type { Json } from './normalise.ts'

export interface Link {
  href: string
  /** Lower case, without parameters; null when the sender gave none. */
  mediaType: string | null
}

export interface Image {
  url: string
  mediaType: string | null
  description: string | null
}

const maxLinks = 32

/** The http(s) links in a `url` property: strings, Link objects, or several of either. */
function linksOf(value: unknown): Link[] {
  return asArray(value, maxLinks).flatMap((each) => {
    const object = asObject(each)
    const href = typeof each === 'string' ? each : textOf(object?.['href'] ?? object?.['id'])
    if (href === null || !isHttpUrl(href)) return []
    return [{ href, mediaType: mediaTypeOf(object?.['mediaType']) }]
  })
}

/** The link to the page for people: the one marked as HTML, else the first that is not marked as anything else. */
export function pageLinkOf(value: unknown): string | null {
  const links = linksOf(value)
  return (
    (links.find(({ mediaType }) => mediaType === 'text/html') ?? links.find(({ mediaType }) => mediaType === null))
      ?.href ?? null
  )
}

/** The link to the file itself: the first image, video or audio, else the first one that is not a page. */
export function mediaLinkOf(value: unknown): Link | null {
  const links = linksOf(value)
  const isMedia = ({ mediaType }: Link) => mediaType !== null && /^(image|video|audio)\//.test(mediaType)
  return (
    links.find(isMedia) ?? links.find(({ mediaType }) => mediaType === null || !mediaType.startsWith('text/')) ?? null
  )
}

/** An icon or image: a URL, an Image object, or several, of which the first usable one counts. */
export function imageOf(value: unknown): Image | null {
  for (const each of asArray(value, maxLinks)) {
    if (typeof each === 'string' && isHttpUrl(each)) return { url: each, mediaType: null, description: null }
    const object = asObject(each)
    const link = object === null ? null : mediaLinkOf(object['url'] ?? object['href'])
    if (object !== null && link !== null) {
      return {
        url: link.href,
        mediaType: mediaTypeOf(object['mediaType']) ?? link.mediaType,
        description: descriptionOf(object),
      }
    }
  }
  return null
}

/** What an image or other file shows, as its sender describes it: `summary` or `name`. */
export function descriptionOf(object: Json): string | null {
  const limit = 10_000
  const text = languageTextOf(object, 'summary', limit).text || languageTextOf(object, 'name', limit).text
  return text || null
}

/** `Image/PNG; x=1` is `image/png`; null for what is no media type. */
export function mediaTypeOf(value: unknown): string | null {
  const type = textOf(value, maxLineLength)?.split(';', 1)[0]!.trim().toLowerCase() ?? ''
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type : null
}
