// Replacements for built-in operations that take quadratic time on hostile text.

/** As in the Stream-Safe Text Format of UAX #15; no script needs more. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * Allows at most 30 combining marks in a row. No other file may call the built-in `normalize`, which sorts them in quadratic
 * time: 300,000 marks on one letter would block the event loop for minutes.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string {
  return text.replace(MARKS, '$1').normalize(form)
}

/** Removes matching UTF-16 units. A pattern such as /x+$/ would take quadratic time. */
export function trimEnd(text: string, unit: RegExp): string {
  let end = text.length
  while (end > 0 && unit.test(text[end - 1] as string)) end--
  return text.slice(0, end)
}
