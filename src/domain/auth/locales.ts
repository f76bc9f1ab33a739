import { closestLanguage, languageOf } from '../server/languages.ts'

/** The interface languages that clients of this API may name at sign-up. */
export const LOCALES: ReadonlySet<string> = new Set(
  `af an ar ast az be bg bn br bs ca ckb co cs cy da de el en en-GB eo es es-AR es-MX et eu fa fi fo fr fr-CA fy ga gd gl
  he hi hr hu hy ia id ie ig io is it ja ka kab kk kmr kn ko ku kw la lad lt lv mk ml mr ms my nan-TW ne nl nn no oc pa pl
  pt-BR pt-PT ro ru ry sa sc sco si sk sl sq sr sr-Latn sv szl ta te th tr tt ug uk ur uz vai vi zgh zh-CN zh-HK zh-TW`.split(
    /\s+/,
  ),
)

/** The interface language that is closest to what a tag asks for: where there is none for a known language, English. Null for what is no language. */
export function localeOf(tag: string): string | null {
  const language = languageOf(tag)
  const alike = [...LOCALES].find((locale) => locale.startsWith(`${language}-`))
  return closestLanguage(tag, LOCALES) ?? (language && (alike ?? 'en'))
}
