import { isBlurhashValid } from 'blurhash'

import {
  type Json,
  asArray,
  asObject,
  encodedUrl,
  isHttpUrl,
  languageTextOf,
  MAX_LINE_LENGTH,
  numberOf,
  textOf,
  typesOf,
} from './normalise.ts'

export type NoteAttachment = {
  type: (typeof types)[number]
  url: string
  mediaType: string | null
  description: string | null
  blurhash: string | null
  width: number | null
  height: number | null
  /** x and y from -1 to 1, (0, 0) is the middle. */
  focalPoint: [number, number] | null
  /** Seconds. */
  duration: number | null
  icon: Image | null
}

const MAX_ATTACHMENTS = 32
const types = ['Document', 'Image', 'Video', 'Audio'] as const

export function attachmentsOf(value: unknown): NoteAttachment[] {
  return asArray(value, MAX_ATTACHMENTS).flatMap((each) => {
    const object = asObject(each)
    const link = object === null ? null : mediaLinkOf(object['url'] ?? object['href'])
    if (object === null || link === null) return []
    const mediaType = sentMediaTypeOf(object) ?? link.mediaType
    const type = typeOf(object, mediaType)
    if (type === null) return []
    return [
      {
        type,
        url: link.href,
        mediaType,
        description: descriptionOf(object),
        blurhash: blurhashOf(object['blurhash']),
        width: sideOf(object['width']),
        height: sideOf(object['height']),
        focalPoint: focalPointOf(object['focalPoint']),
        duration: durationOf(object['duration']),
        icon: imageOf(object['icon']),
      },
    ]
  })
}

/**
 * A file without a type is a Document, and so is one that Hubzilla sends as a Link. Null for links to pages and other objects.
 */
function typeOf(object: Json, mediaType: string | null): NoteAttachment['type'] | null {
  const sent = typesOf(object)
  if (sent.length === 0 || sent.includes('Link')) return isMediaType(mediaType) ? 'Document' : null
  return types.find((known) => sent.includes(known)) ?? null
}

/** Its first character says how long it has to be. Clients fail to decode one of another length. */
function blurhashOf(value: unknown): string | null {
  const text = textOf(value)
  const isReadable = text !== null && /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,120}$/.test(text) && isBlurhashValid(text).result
  return isReadable ? text : null
}

function sideOf(value: unknown): number | null {
  const pixels = numberOf(value)
  return pixels !== null && Number.isInteger(pixels) && pixels > 0 && pixels < 100_000 ? pixels : null
}

function focalPointOf(value: unknown): [number, number] | null {
  const [x, y] = asArray(value, 2).map(numberOf)
  const isInside = (number: number | null | undefined): number is number =>
    typeof number === 'number' && Math.abs(number) <= 1
  return isInside(x) && isInside(y) ? [x, y] : null
}

function durationOf(value: unknown): number | null {
  const match = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?)?$/.exec(
    textOf(value, 64) ?? '',
  )
  if (match === null) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

type Link = {
  href: string
  /** Lower case, without parameters; null when not given. */
  mediaType: string | null
}

export type Image = {
  url: string
  mediaType: string | null
  description: string | null
}

const MAX_LINKS = 32

/** Accepts strings, Link objects, or several of either; http(s) only. Leaves out addresses that are too long once encoded. */
function linksOf(value: unknown): Link[] {
  return asArray(value, MAX_LINKS).flatMap((each) => {
    const object = asObject(each)
    const href = typeof each === 'string' ? each : textOf(object?.['href'] ?? object?.['id'])
    if (href === null || !isHttpUrl(href)) return []
    const encoded = encodedUrl(href)
    return isHttpUrl(encoded) ? [{ href: encoded, mediaType: object && sentMediaTypeOf(object) }] : []
  })
}

/** Funkwhale and old versions of PeerTube send `mimeType`. */
const sentMediaTypeOf = (object: Json): string | null => mediaTypeOf(object['mediaType'] ?? object['mimeType'])

/** The first link of type text/html, or else the first without a media type. */
export function pageLinkOf(value: unknown): string | null {
  const links = linksOf(value)
  return (
    (links.find(({ mediaType }) => mediaType === 'text/html') ?? links.find(({ mediaType }) => mediaType === null))
      ?.href ?? null
  )
}

/** The file of an Image such as a photo of Hubzilla, which lists its sizes, the largest first, and its page as `url`. */
export function ownImageOf(url: unknown): NoteAttachment[] {
  const sizes = asArray(url, MAX_LINKS).map(asObject)
  const largest = sizes.find((size) => mediaTypeOf(size?.['mediaType'])?.startsWith('image/'))
  return attachmentsOf(largest && { ...largest, type: 'Image' })
}

/** The address of the first attached Link, unless it is one of a media file. */
export function attachedLinkOf(attachments: unknown): string | null {
  const isLink = (each: unknown): boolean => typesOf(asObject(each) ?? {}).includes('Link')
  const [link] = linksOf(asArray(attachments, MAX_ATTACHMENTS).filter(isLink))
  return link === undefined || isMediaType(link.mediaType) ? null : link.href
}

/** The first image, video or audio, or else the first link that is not text. */
function mediaLinkOf(value: unknown): Link | null {
  const links = linksOf(value)
  return (
    links.find(({ mediaType }) => isMediaType(mediaType)) ??
    links.find(({ mediaType }) => mediaType === null || !mediaType.startsWith('text/')) ??
    null
  )
}

const isMediaType = (type: string | null): boolean => /^(image|video|audio)\//.test(type ?? '')

export function imageOf(value: unknown): Image | null {
  for (const each of asArray(value, MAX_LINKS)) {
    if (typeof each === 'string' && isHttpUrl(each)) return { url: each, mediaType: null, description: null }
    const object = asObject(each)
    const link = object === null ? null : mediaLinkOf(object['url'] ?? object['href'])
    if (object !== null && link !== null) {
      return {
        url: link.href,
        mediaType: sentMediaTypeOf(object) ?? link.mediaType,
        description: descriptionOf(object),
      }
    }
  }
  return null
}

/** Owncast describes a preview image in its content. */
function descriptionOf(object: Json): string | null {
  for (const name of ['summary', 'name', 'content']) {
    const { text } = languageTextOf(object, name, 10_000)
    if (text) return text
  }
  return null
}

export function mediaTypeOf(value: unknown): string | null {
  const type = textOf(value, MAX_LINE_LENGTH)?.split(';', 1)[0]!.trim().toLowerCase() ?? ''
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type : null
}
