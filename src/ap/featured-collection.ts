import { pageLinkOf } from './attachments.ts'
import {
  asArray,
  asObject,
  booleanOf,
  dateOf,
  firstObject,
  isSameHost,
  languageTextOf,
  MAX_LINE_LENGTH,
  textOf,
  typesOf,
  urlOf,
} from './normalise.ts'

/** A collection of accounts (FEP-7aa9). */
export type FeaturedCollection = {
  id: string
  attributedTo: string
  name: string
  /** HTML as sent. */
  summary: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  /** The name of a hashtag. */
  topic: string | null
  /** A page on the same host. */
  url: string | null
  published: Date | null
  updated: Date | null
  items: FeaturedItem[]
}

export type FeaturedItem = {
  id: string
  featuredObject: string
  featureAuthorization: string
  published: Date | null
}

/** As many as FEP-7aa9 proposes. */
export const MAX_REMOTE_ITEMS = 150
/** In characters. */
const MAX_SUMMARY = 2048

export const isFeaturedCollection = (types: readonly string[]): boolean => types.includes('FeaturedCollection')

/** Null unless it has a name and is on the host of the account that it is attributed to. Does not verify who sent it. */
export function parseFeaturedCollection(json: unknown): FeaturedCollection | null {
  const object = asObject(json)
  if (object === null || !isFeaturedCollection(typesOf(object))) return null
  const [id, attributedTo] = [urlOf(object), urlOf(object['attributedTo'])]
  const name = languageTextOf(object, 'name', MAX_LINE_LENGTH).text?.trim()
  if (id === null || attributedTo === null || !name || !isSameHost(id, attributedTo)) return null
  const summary = languageTextOf(object, 'summary', MAX_SUMMARY)
  const topic = firstObject(object['topic'])
  const page = pageLinkOf(object['url'])
  return {
    id,
    attributedTo,
    name,
    summary: summary.text ?? '',
    language: summary.language,
    sensitive: booleanOf(object['sensitive']) ?? false,
    discoverable: booleanOf(object['discoverable']) ?? true,
    topic: topic && (textOf(topic['name'])?.replace(/^#/, '') ?? null),
    url: page !== null && isSameHost(page, id) ? page : null,
    published: dateOf(object['published']),
    updated: dateOf(object['updated']),
    items: itemsOf(object['orderedItems'], id),
  }
}

function itemsOf(value: unknown, collectionId: string): FeaturedItem[] {
  const items = asArray(value, MAX_REMOTE_ITEMS).flatMap((each) => parseFeaturedItem(each, collectionId) ?? [])
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/**
 * Null for other objects than accounts, and unless the item is on the host of the collection, and the authorization on the
 * account's.
 */
export function parseFeaturedItem(json: unknown, collectionId: string): FeaturedItem | null {
  const object = asObject(json)
  if (object === null || !typesOf(object).includes('FeaturedItem')) return null
  const id = urlOf(object)
  const featuredObject = urlOf(object['featuredObject'])
  const featureAuthorization = urlOf(object['featureAuthorization'])
  if (id === null || featuredObject === null || featureAuthorization === null) return null
  const isTrusted = isSameHost(id, collectionId) && isSameHost(featureAuthorization, featuredObject)
  return isTrusted ? { id, featuredObject, featureAuthorization, published: dateOf(object['published']) } : null
}
