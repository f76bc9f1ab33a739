/** ISO 639-1, and a few more that people write posts in. */
const CODES =
  `aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko
  kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
  ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz
  ve vi vo wa wo xh yi yo za zh zu ast chr ckb cnr csb gsw jbo kab ldn lfn moh nds pdc sco sma smj szl tok vai xal zba zgh zh-CN zh-HK zh-TW`.split(
    /\s+/,
  )

/** Languages that can be named with a post: code and English name. */
export const LANGUAGES: readonly { code: string; name: string }[] = (() => {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return CODES.flatMap((code) => {
    const name = names.of(code)
    return name === undefined ? [] : [{ code, name }]
  })
})()

/**
 * Which of the known languages a tag such as `en-US`, `PT_br` or the outdated `iw` means: that very one, or the one without a
 * region, as applications name them by the system they run on. Null for none.
 */
export function closestLanguage(tag: string, known: ReadonlySet<string>): string | null {
  const [whole, plain] = tagsOf(tag.replaceAll('_', '-'))
  return [...known].find((code) => code.toLowerCase() === whole) ?? plain.find((code) => known.has(code)) ?? null
}

/** The whole tag in small letters; the language alone, as it is and as it is called today. */
function tagsOf(tag: string): [whole: string, plain: string[]] {
  const whole = tag.toLowerCase()
  const [plain = ''] = whole.split('-')
  return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(whole) ? [whole, [plain, new Intl.Locale(plain).language]] : ['', []]
}

const known: ReadonlySet<string> = new Set(LANGUAGES.map(({ code }) => code))

/** The language of a post that was marked with this tag; null where it says none: a wrong one is no reason to refuse a post. */
export function languageOf(tag: string | null | undefined): string | null {
  return tag ? closestLanguage(tag, known) : null
}
