import { language } from '../texts.ts'

const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' })

/** `German`; the tag itself where it is none. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}
