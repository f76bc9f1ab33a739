import { type Image, imageOf } from './attachments.ts'
import { asArray, asObject, dateOf, textOf, typesOf, urlOf } from './normalise.ts'

export type NoteTag = {
  type: 'Mention' | 'Hashtag' | 'Emoji'
  /** As sent: `@ada@a.test`, `#cats`, `:blobcat:`. May be empty for mentions. */
  name: string
  href: string | null
  id: string | null
  icon: Image | null
  updated: Date | null
}

const MAX_TAGS = 100
const MAX_NAME_LENGTH = 300
const types = ['Mention', 'Hashtag', 'Emoji'] as const

export function tagsOf(value: unknown): NoteTag[] {
  return asArray(value, MAX_TAGS).flatMap((each) => {
    const object = asObject(each)
    const type = object === null ? undefined : types.find((known) => typesOf(object).includes(known))
    if (object === null || type === undefined) return []
    const name = textOf(object['name'], MAX_NAME_LENGTH) ?? ''
    const href = urlOf(object['href'])
    const icon = type === 'Emoji' ? imageOf(object['icon']) : null
    const isUseful = type === 'Mention' ? href !== null : name !== '' && (type === 'Hashtag' || icon !== null)
    return isUseful ? [{ type, name, href, id: urlOf(object['id']), icon, updated: dateOf(object['updated']) }] : []
  })
}

/** FEP-e232. */
export function quoteLinkOf(value: unknown): string | null {
  for (const each of asArray(value, MAX_TAGS)) {
    const object = asObject(each)
    if (object === null || !typesOf(object).includes('Link')) continue
    const mediaType = textOf(object['mediaType']) ?? ''
    const relations = asArray(object['rel'], 10)
    const isQuote =
      relations.includes('https://misskey-hub.net/ns#_misskey_quote') ||
      /^application\/(activity|ld)\+json/.test(mediaType)
    const href = isQuote ? urlOf(object['href']) : null
    if (href !== null) return href
  }
  return null
}
