const rules = new Map<string, Intl.PluralRules>()
const numbers = new Map<string, Intl.NumberFormat>()
const groupedNumbers = new Map<string, Intl.NumberFormat>()

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form of a text that `count` asks for in a language; `#` in it becomes the number. */
export function plural(language: string, count: number, forms: Forms, format = formatNumber): string {
  let rule = rules.get(language)
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)))
  const form = forms[rule.select(count)] ?? forms.other
  return form.replaceAll('#', format(language, count))
}

/**
 * The count that the noun after a short number such as `1.2K` or `1M` agrees with: languages that write the thousand or the million
 * as a word let the noun follow that word, as in `1,2 M d’abonnés`.
 */
export const countBesideShort = (count: number): number => (count < 1000 ? count : count < 1_000_000 ? 1000 : 1_000_000)

/** A number as a language writes it, without grouping: clients know the English texts to the letter. */
export function formatNumber(language: string, count: number): string {
  let format = numbers.get(language)
  if (!format) numbers.set(language, (format = new Intl.NumberFormat(language, { useGrouping: false })))
  return format.format(count)
}

/** With grouping, for pages: `12,345`. */
export function groupedNumber(language: string, count: number): string {
  let format = groupedNumbers.get(language)
  if (!format) groupedNumbers.set(language, (format = new Intl.NumberFormat(language)))
  return format.format(count)
}
