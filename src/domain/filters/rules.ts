import { Invalid } from '../../lib/errors.ts'

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
  if (text === '') throw new Invalid("Validation failed: Title can't be blank")
  if ([...text].length > MAX_TITLE)
    throw new Invalid(`Validation failed: Title is too long (maximum is ${MAX_TITLE} characters)`)
  return text
}

/** Contexts without repeats. Throws Invalid when there is none. */
export function checkContext(context: readonly FilterContext[] | undefined): FilterContext[] {
  if (!context || context.length === 0) throw new Invalid("Validation failed: Context can't be blank")
  return FILTER_CONTEXTS.filter((known) => context.includes(known))
}

/** A word or phrase fit to be stored; `label` is how the text of the refusal calls it. Throws Invalid. */
export function checkKeyword(keyword: string | undefined, label = 'Keyword'): string {
  const text = keyword?.trim() ?? ''
  if (text === '') throw new Invalid(`Validation failed: ${label} can't be blank`)
  if ([...text].length > MAX_KEYWORD)
    throw new Invalid(`Validation failed: ${label} is too long (maximum is ${MAX_KEYWORD} characters)`)
  return text
}

/** When something ends that is to last so many seconds from now; null: never. Throws Invalid. */
export function expiryOf(seconds: number | null | undefined): Date | null {
  if (seconds === null || seconds === undefined) return null
  if (seconds < 0) throw new Invalid('Validation failed: Expires in must be greater than or equal to 0')
  return new Date(Date.now() + seconds * 1000)
}
