import { type Image, imageOf, pageLinkOf } from './attachments.ts'
import { policyOf } from './interaction-policy.ts'
import {
  asArray,
  asObject,
  booleanOf,
  dateOf,
  firstObject,
  idsOf,
  isBlank,
  isSameHost,
  languageTextOf,
  MAX_TEXT_LENGTH,
  nameTextOf,
  textOf,
  typesOf,
  urlOf,
} from './normalise.ts'
import type { Json } from './normalise.ts'
import { tagsOf } from './tags.ts'
import type { NoteTag } from './tags.ts'

export type PublicKey = {
  id: string
  owner: string
  pem: string
}

export type Multikey = {
  id: string
  controller: string
  publicKeyMultibase: string
}

export type Actor = {
  id: string
  type: (typeof types)[number]
  preferredUsername: string | null
  /** `user@host` (FEP-2c59). The caller must verify it with WebFinger. */
  webfinger: string | null
  name: string | null
  /** HTML as sent. */
  summary: string | null
  url: string | null
  inbox: string
  sharedInbox: string | null
  /** This and the other collections are null unless they are on the actor's host. */
  outbox: string | null
  followers: string | null
  following: string | null
  featured: string | null
  featuredTags: string | null
  /** Collections of accounts (FEP-7aa9). */
  featuredCollections: string | null
  devices: string | null
  /** Only keys that the actor owns and whose ids are on its host. */
  publicKeys: PublicKey[]
  /** Also of keys that are documents of their own. */
  publicKeyIds: string[]
  assertionMethods: Multikey[]
  icon: Image | null
  image: Image | null
  fields: { name: string; value: string }[]
  tags: NoteTag[]
  manuallyApprovesFollowers: boolean
  discoverable: boolean | null
  indexable: boolean | null
  memorial: boolean
  /** Whether a profile has the tabs for media and for what it features, and replies among the media. */
  showMedia: boolean | null
  showRepliesInMedia: boolean | null
  showFeatured: boolean | null
  suspended: boolean
  /** The policy about adding it to collections, packed; 0 without one. */
  featurePolicy: number
  alsoKnownAs: string[]
  movedTo: string | null
  attributionDomains: string[]
  published: Date | null
  updated: Date | null
}

const types = ['Person', 'Service', 'Application', 'Group', 'Organization'] as const
const MAX_KEYS = 10
const MAX_FIELDS = 32

/** Returns null unless it has a known type, an id and an inbox. Does not verify who sent it. */
export function parseActor(json: unknown): Actor | null {
  const actor = asObject(json)
  const id = urlOf(actor)
  const type = actor === null ? undefined : types.find((known) => typesOf(actor).includes(known))
  const inbox = actor === null ? null : urlOf(actor['inbox'])
  if (actor === null || id === null || type === undefined || inbox === null) return null

  const own = (value: unknown) => {
    const url = urlOf(value)
    return url !== null && isSameHost(url, id) ? url : null
  }
  const page = pageLinkOf(actor['url'])
  const [followers, following] = [own(actor['followers']), own(actor['following'])]
  const canFeature = firstObject(firstObject(actor['interactionPolicy'])?.['canFeature'])
  const summary = languageTextOf(actor, 'summary', MAX_TEXT_LENGTH).text
  return {
    id,
    type,
    inbox,
    sharedInbox: urlOf(firstObject(actor['endpoints'])?.['sharedInbox']) ?? urlOf(actor['sharedInbox']),
    preferredUsername: textOf(actor['preferredUsername']) || null,
    webfinger: textOf(actor['webfinger']),
    name: nameTextOf(actor).text,
    summary: isBlank(summary) ? null : summary,
    url: page !== null && isSameHost(page, id) ? page : null,
    outbox: own(actor['outbox']),
    followers,
    following,
    featured: own(actor['featured']),
    featuredTags: own(actor['featuredTags']),
    featuredCollections: own(actor['featuredCollections']),
    devices: own(actor['devices']),
    publicKeys: publicKeysOf(actor['publicKey'], id),
    publicKeyIds: idsOf(actor['publicKey'], MAX_KEYS),
    assertionMethods: multikeysOf(actor['assertionMethod'], id),
    icon: imageOf(actor['icon']),
    image: imageOf(actor['image']),
    fields: fieldsOf(actor['attachment']),
    tags: tagsOf(actor['tag']),
    manuallyApprovesFollowers: booleanOf(actor['manuallyApprovesFollowers']) ?? false,
    discoverable: booleanOf(actor['discoverable']),
    indexable: booleanOf(actor['indexable']),
    memorial: booleanOf(actor['memorial']) ?? false,
    showMedia: booleanOf(actor['showMedia']),
    showRepliesInMedia: booleanOf(actor['showRepliesInMedia']),
    showFeatured: booleanOf(actor['showFeatured']),
    suspended: booleanOf(actor['suspended']) ?? false,
    featurePolicy: canFeature === null ? 0 : policyOf(canFeature, { id, followers, following }),
    alsoKnownAs: idsOf(actor['alsoKnownAs'], 100),
    movedTo: urlOf(actor['movedTo']),
    attributionDomains: idsOf(actor['attributionDomains'], 100),
    published: dateOf(actor['published']),
    updated: dateOf(actor['updated']),
  }
}

/** For a key that is a document of its own. The caller must verify that the owner's document names the key. */
export function parseKey(json: unknown): PublicKey | null {
  const key = asObject(json)
  return key === null ? null : publicKeyOf(key, urlOf(key['owner']))
}

function publicKeysOf(value: unknown, actorId: string): PublicKey[] {
  return asArray(value, MAX_KEYS).flatMap((each) => {
    const object = asObject(each)
    const key = object === null ? null : publicKeyOf(object, urlOf(object['owner']) ?? actorId)
    return key !== null && key.owner === actorId && isSameHost(key.id, actorId) ? [key] : []
  })
}

function publicKeyOf(key: Json, owner: string | null): PublicKey | null {
  const id = urlOf(key)
  const pem = textOf(key['publicKeyPem'], 8192)
  return id === null || owner === null || !pem ? null : { id, owner, pem }
}

function multikeysOf(value: unknown, actorId: string): Multikey[] {
  return asArray(value, MAX_KEYS).flatMap((each) => {
    const key = asObject(each)
    const id = urlOf(key)
    const publicKeyMultibase = textOf(key?.['publicKeyMultibase'])
    const controller = urlOf(key?.['controller']) ?? actorId
    if (key === null || id === null || !publicKeyMultibase || !typesOf(key).includes('Multikey')) return []
    return controller === actorId && isSameHost(id, actorId) ? [{ id, controller, publicKeyMultibase }] : []
  })
}

function fieldsOf(value: unknown): { name: string; value: string }[] {
  return asArray(value, MAX_FIELDS).flatMap((each) => {
    const field = asObject(each)
    if (field === null || !typesOf(field).includes('PropertyValue')) return []
    const name = textOf(field['name'])
    return name ? [{ name, value: textOf(field['value'], 4096) ?? '' }] : []
  })
}
