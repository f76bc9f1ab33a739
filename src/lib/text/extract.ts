import { TAG_NAME, WORD_CHARACTERS, isTagName, normaliseTag } from './tags.ts'
import { findUrls } from './urls.ts'
import type { UrlEntity } from './urls.ts'

export type MentionEntity = {
  kind: 'mention'
  start: number
  end: number
  username: string
  domain: string | null
  handle: string
}

export type HashtagEntity = { kind: 'hashtag'; start: number; end: number; name: string; key: string }

/** `start` and `end` (exclusive) are UTF-16 indices. */
export type Entity = UrlEntity | MentionEntity | HashtagEntity

const USERNAME = '[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*'
/** Other software allows more: see `ap/handle.ts`. */
const REMOTE_USERNAME = String.raw`[\p{L}\p{N}_]+(?:[.~+-]+[\p{L}\p{N}_]+)*`
const HOST = `[${WORD_CHARACTERS}]+(?:[.-]+[${WORD_CHARACTERS}]+)*`
const MENTION = new RegExp(
  String.raw`(?<![=/${WORD_CHARACTERS}])@(?:(${REMOTE_USERNAME})@(${HOST}(?::\d{1,5}(?!\d))?)|(${USERNAME}))`,
  'gu',
)
/** A longer one is no host: as text, it counts in full. */
const MAX_DOMAIN = 253
const NOT_AFTER_MENTION = /[@＠]|:\/\//uy
const HASHTAG = new RegExp(`(?<![=/)${WORD_CHARACTERS}])[#＃](${TAG_NAME})`, 'gu')

/** In order. If two overlap, links win, then the first one. Linear in the length. */
export function extractEntities(text: string): Entity[] {
  const mentions = text.includes('@') ? [...findMentions(text)] : []
  const hashtags = /[#＃]/u.test(text) ? [...findHashtags(text)] : []
  return withoutOverlaps([...findUrls(text), ...mentions, ...hashtags], text.length)
}

/** Handles (`user` or `user@host`) in lower case, each once, in order. */
export function extractMentions(text: string): string[] {
  const handles = extractEntities(text).filter((entity) => entity.kind === 'mention')
  return [...new Set(handles.map((mention) => mention.handle))]
}

/** Each once, in order, in the spelling of the first use. */
export function extractHashtags(text: string): { key: string; name: string }[] {
  const tags = new Map<string, { key: string; name: string }>()
  for (const entity of extractEntities(text)) {
    if (entity.kind === 'hashtag' && !tags.has(entity.key)) tags.set(entity.key, { key: entity.key, name: entity.name })
  }
  return [...tags.values()]
}

function* findMentions(text: string): Generator<MentionEntity> {
  for (const match of text.matchAll(MENTION)) {
    const end = match.index + match[0].length
    NOT_AFTER_MENTION.lastIndex = end
    if (NOT_AFTER_MENTION.test(text)) continue
    const username = match[1] ?? match[3] ?? ''
    const domain = match[2] ?? null
    if ((domain?.length ?? 0) > MAX_DOMAIN) continue
    yield { kind: 'mention', start: match.index, end, username, domain, handle: match[0].slice(1).toLowerCase() }
  }
}

function* findHashtags(text: string): Generator<HashtagEntity> {
  for (const match of text.matchAll(HASHTAG)) {
    const name = match[1] ?? ''
    const key = normaliseTag(name)
    if (!isTagName(name) || !isTagName(key)) continue
    yield { kind: 'hashtag', start: match.index, end: match.index + match[0].length, name, key }
  }
}

function withoutOverlaps(entities: Entity[], length: number): Entity[] {
  const links = entities.filter((entity) => entity.kind === 'url')
  const inOrder = entities.toSorted((a, b) => a.start - b.start)
  const result: Entity[] = []
  let end = 0
  let link = 0
  for (const entity of inOrder) {
    while (link < links.length && (links[link]?.end ?? length) <= entity.start) link++
    const touchesLink = entity.kind !== 'url' && entity.end > (links[link]?.start ?? length)
    if (touchesLink || entity.start < end) continue
    result.push(entity)
    end = entity.end
  }
  return result
}
