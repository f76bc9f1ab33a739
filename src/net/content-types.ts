const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams'
const PARAMETER = /;\s*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g
const MAX_HEADER_LENGTH = 2048

export const activityAccept = `application/activity+json, application/ld+json; profile="${ACTIVITY_STREAMS}"`

export const activityContentType = 'application/activity+json; charset=utf-8'

export type MediaType = {
  /** Lower case, `type/subtype`; empty when the header is malformed or missing. */
  type: string
  parameters: Map<string, string>
}

/** Parses `Content-Type` or one member of `Accept`. Never throws. */
export function parseMediaType(value: string | undefined): MediaType {
  const text = (value ?? '').slice(0, MAX_HEADER_LENGTH)
  const type = text.split(';', 1)[0]!.trim().toLowerCase()
  const parameters = new Map<string, string>()
  for (const [, name, quoted, plain] of text.matchAll(PARAMETER)) {
    if (!parameters.has(name!.toLowerCase())) {
      parameters.set(name!.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '')
    }
  }
  return { type: /^[^\s/;,]+\/[^\s/;,]+$/.test(type) ? type : '', parameters }
}

/**
 * `application/ld+json` counts only with the ActivityStreams profile: otherwise an uploaded file could pass for a document of
 * its host.
 */
export function isActivityContentType(contentType: string | undefined): boolean {
  const { type, parameters } = parseMediaType(contentType)
  if (type === 'application/activity+json') return true
  return type === 'application/ld+json' && (parameters.get('profile') ?? '').split(/\s+/).includes(ACTIVITY_STREAMS)
}

/** The types of an ActivityPub document: those that requests for one accept, and that an activity for an inbox may have. */
export const DOCUMENT_TYPES = ['application/activity+json', 'application/ld+json', 'application/json']

/**
 * With equal weights, the type that is named first wins. Clients of plain JSON get the document too, as they cannot use a page.
 * A wildcard alone, which browsers and tools send, does not count.
 */
export function isActivityRequest(accept: string | undefined): boolean {
  let activity = 0
  let html = 0
  for (const member of splitList((accept ?? '').slice(0, MAX_HEADER_LENGTH))) {
    const { type, parameters } = parseMediaType(member)
    const weight = quality(parameters.get('q'))
    if (DOCUMENT_TYPES.includes(type)) {
      if (weight > html) activity = Math.max(activity, weight)
    } else if (type === 'text/html' || type === 'application/xhtml+xml') {
      if (weight > activity) activity = 0
      html = Math.max(html, weight)
    }
  }
  return activity > 0
}

function quality(text: string | undefined): number {
  if (text === undefined) return 1
  const number = /^[01](\.\d{0,3})?$/.test(text) ? Number(text) : 0
  return Math.min(number, 1)
}

function splitList(text: string): string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
}
