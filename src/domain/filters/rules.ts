import { invalidField } from '../../lib/errors.ts'

export const FILTER_CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
export type FilterContext = (typeof FILTER_CONTEXTS)[number]

/** warn: folded behind the title. hide: gone. blur: only its media are covered. */
export const FILTER_ACTIONS = ['warn', 'hide', 'blur'] as const
export type FilterAction = (typeof FILTER_ACTIONS)[number]

const MAX_TITLE = 256
const MAX_KEYWORD = 512
/** All of one account together: what is matched stays small however it is divided. */
export const MAX_FILTERS = 200
export const MAX_KEYWORDS = 1000
/** Of all keywords together: what matching needs is built from them, and kept in memory. */
export const MAX_KEYWORD_CHARACTERS = 20_000
export const MAX_STATUSES = 1000

/** A title fit to be stored. Throws Invalid. */
export function checkTitle(title: string | undefined): string {
  const text = title?.trim() ?? ''
  if (text === '') throw invalidField('title', 'blank')
  if ([...text].length > MAX_TITLE) throw invalidField('title', 'too_long', { count: MAX_TITLE })
  return text
}

/** Contexts without repeats. Throws Invalid when there is none. */
export function checkContext(context: readonly FilterContext[] | undefined): FilterContext[] {
  if (!context || context.length === 0) throw invalidField('context', 'blank')
  return FILTER_CONTEXTS.filter((known) => context.includes(known))
}

/** A word or phrase fit to be stored; `field` is how the text of the refusal calls it. Throws Invalid. */
export function checkKeyword(
  keyword: string | undefined,
  field: 'keyword' | 'keywords_keyword' | 'phrase' = 'keyword',
): string {
  const text = keyword?.trim() ?? ''
  if (text === '') throw invalidField(field, 'blank')
  if ([...text].length > MAX_KEYWORD) throw invalidField(field, 'too_long', { count: MAX_KEYWORD })
  return text
}

/** When something ends that is to last so many seconds from now; null: never. Throws Invalid. */
export function expiryOf(seconds: number | null | undefined): Date | null {
  if (seconds === null || seconds === undefined) return null
  if (seconds < 0) throw invalidField('expires_in', 'at_least', { count: 0 })
  return new Date(Date.now() + seconds * 1000)
}
