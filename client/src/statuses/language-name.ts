import { languageNameFrom } from '../../../src/lib/text/language-name.ts'
import { language } from '../texts.ts'

/** `pt` of `pt-BR` */
export const baseOf = (tag: string): string => tag.split('-')[0] ?? tag

const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })

/** `German`; `otherwise` where the browser has no name for the tag. */
export function languageName(tag: string, otherwise = tag): string {
  try {
    return languageNameFrom(names, tag) ?? otherwise
  } catch {
    return otherwise
  }
}
