import { languageNameFrom } from '../../lib/text/language-name.ts'
import { isMessageLanguage, MESSAGE_LANGUAGES, type Language } from '../../messages/message.ts'

/** Mastodon's languages: ISO 639-1, and others in which people write posts. */
const CODES =
  `aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko
  kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms ms-Arab mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
  ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz
  ve vi vo wa wo xh yi yo za zh zu ast chr ckb cnr csb gsw jbo kab ldn lfn moh nds pdc sco sma smj szl tok vai xal zba zgh zh-CN zh-HK zh-TW
  zh-YUE`.split(/\s+/)

/** Languages for which `Intl` has no name or, as for the last one, throws. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ldn: 'Láadan',
  zba: 'Balaibalan',
  'zh-YUE': 'Cantonese',
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' })

export const LANGUAGES: readonly { code: string; name: string }[] = CODES.map((code) => ({
  code,
  name: OTHER_NAMES[code] ?? languageNameFrom(englishNames, code) ?? code,
}))

/**
 * Accepts tags such as `en-US`, `PT_br` and the outdated `iw`. Prefers a language with the region of the tag, which
 * some clients take from the system.
 */
export function closestLanguage(tag: string, known: ReadonlySet<string>): string | null {
  const [whole, plain] = tagsOf(tag.replaceAll('_', '-'))
  return [...known].find((code) => code.toLowerCase() === whole) ?? plain.find((code) => known.has(code)) ?? null
}

/** The whole tag in lower case; its language alone, as written and by its current code. */
function tagsOf(tag: string): [whole: string, plain: string[]] {
  const whole = tag.toLowerCase()
  const [plain = ''] = whole.split('-')
  return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(whole) ? [whole, [plain, new Intl.Locale(plain).language]] : ['', []]
}

const known: ReadonlySet<string> = new Set(LANGUAGES.map(({ code }) => code))

/** Null for an unknown tag, which is no reason to refuse a post. */
export function languageOf(tag: string | null | undefined): string | null {
  return tag ? closestLanguage(tag, known) : null
}

/** The interface languages that clients may name at sign-up: Mastodon's. */
export const LOCALES: ReadonlySet<string> = new Set(
  `af an ar ast az be bg bn br bs ca ckb co cs cy da de el en en-GB eo es es-AR es-MX et eu fa fi fo fr fr-CA fy ga gd gl
  he hi hr hu hy ia id ie ig io is it ja ka kab kk kmr kn ko ku kw la lad lt lv mk ml mr ms my nan-TW ne nl nn no oc pa pl
  pt-BR pt-PT ro ru ry sa sc sco si sk sl sq sr sr-Latn sv szl ta te th tr tt ug uk ur uz vai vi zgh zh-CN zh-HK zh-TW`.split(
    /\s+/,
  ),
)

/** The interface language closest to a tag: English for other known languages, null for an unknown one. */
export function closestLocale(tag: string): string | null {
  const language = languageOf(tag)
  const regional = [...LOCALES].find((locale) => locale.startsWith(`${language}-`))
  return closestLanguage(tag, LOCALES) ?? (language && (regional ?? 'en'))
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether a tag such as `de-AT` or `de_AT` begins with the code of a language, be it known here or not. */
export function isLanguageTag(tag: string): boolean {
  try {
    return LANGUAGE_NAMES.of(new Intl.Locale(tag.replaceAll('_', '-')).language) !== undefined
  } catch {
    // Not in the form of a tag.
    return false
  }
}

/** Accepts tags such as `de-AT` and `de_AT`. English for languages that the message catalogue does not have. */
export function messageLanguage(tag: string): Language {
  const code = closestLanguage(tag, MESSAGE_LANGUAGES)
  return code !== null && isMessageLanguage(code) ? code : 'en'
}
