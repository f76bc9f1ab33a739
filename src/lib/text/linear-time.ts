// Replacements for built-in operations that take quadratic time on hostile text.

/** As in the Stream-Safe Text Format of UAX #15; no script needs more. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * A text in a Unicode normalization form, with at most 30 combining marks in a row. The built-in `normalize`, which no other
 * file may call, sorts them in quadratic time: 300,000 marks on one letter would block the event loop for minutes.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string {
  return text.replace(MARKS, '$1').normalize(form)
}

/** Removes the UTF-16 units at the end that match a pattern. A pattern such as /x+$/ would take quadratic time. */
export function trimEnd(text: string, unit: RegExp): string {
  let end = text.length
  while (end > 0 && unit.test(text[end - 1] as string)) end--
  return text.slice(0, end)
}
