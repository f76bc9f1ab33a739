// The message catalogue, for tests that look for English texts on pages in other languages.
import { escapeHtml } from '../../src/lib/html.ts'
import type { ClientLaterTexts } from '../../src/messages/en/client/later.ts'
import type { ClientTexts } from '../../src/messages/en/client/texts.ts'
import { isMessageLanguage, type Language, MESSAGE_LANGUAGES } from '../../src/messages/message.ts'
import { textsIn } from '../../src/messages/pages.ts'

export { textsIn }

export const LANGUAGES: readonly Language[] = [...MESSAGE_LANGUAGES].filter(isMessageLanguage)

/** Shorter texts may be words of other languages, such as "Export". */
const MIN_LENGTH = 12

/** Functions receive `SAMPLES`, so that their parameters become `#` or 7. */
function flatten(texts: object): string[] {
  return Object.values(texts).flatMap((value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value === 'object' && value !== null) return flatten(value)
    return typeof value === 'function' ? [(value as (params: object) => string)(SAMPLES)] : []
  })
}

/** Sample parameters: 7, which takes the plural, for numbers, and a list with a mark for texts and lists of texts. */
export const SAMPLES = new Proxy(
  {},
  { get: (_, name) => (['count', 'done', 'failed', 'years', 'megabytes'].includes(String(name)) ? 7 : ['#']) },
)

/** The parts between parameters and marks, escaped as in HTML. */
const partsOf = (text: string): string[] =>
  text
    .split(/[#7]|\{\w+\}/)
    .map((part) => String(escapeHtml(part.trim())))
    .filter((part) => part.length > MIN_LENGTH)

export async function clientTextsIn(language: string): Promise<ClientTexts & ClientLaterTexts> {
  const folder = `../../src/messages/${language}/client`
  const [texts] = Object.values((await import(`${folder}/texts.ts`)) as Record<string, ClientTexts>)
  const [later] = Object.values((await import(`${folder}/later.ts`)) as Record<string, ClientLaterTexts>)
  if (!texts || !later) throw new Error(language)
  return { ...texts, ...later }
}

async function textsOf(language: Language): Promise<string[]> {
  const errors = (await import(`../../src/messages/${language}/api.ts`)) as object
  return flatten([textsIn(language), ...Object.values(errors), await clientTextsIn(language)])
}

const onlyEnglish = new Map<Language, Promise<string[]>>()

/** The parts of English texts that no text of the language contains. */
async function partsOnlyIn(language: Language): Promise<string[]> {
  const translated = (await textsOf(language)).join('\n')
  const parts = new Set((await textsOf('en')).flatMap(partsOf))
  return [...parts].filter((part) => !translated.includes(part))
}

/** The English texts of the catalogue in a page that should be in another language. */
export async function englishTextsIn(language: Language, page: string): Promise<string[]> {
  const parts = onlyEnglish.get(language) ?? partsOnlyIn(language)
  onlyEnglish.set(language, parts)
  return (await parts).filter((part) => hasWords(page, part))
}

/** Whether the page contains the text, not as a part of longer words. */
function hasWords(page: string, text: string): boolean {
  const isLetter = (at: number): boolean => /\p{L}/u.test(page.charAt(at))
  for (let at = page.indexOf(text); at >= 0; at = page.indexOf(text, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + text.length)) return true
  return false
}
