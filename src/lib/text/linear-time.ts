// The only place that calls String.prototype.normalize: it sorts a run of combining marks in quadratic time, so that
// 300,000 of them on one letter would hold the event loop for minutes.

/** No script needs more: the Stream-Safe Text Format of UAX #15 draws the line at the same number. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/** A text in a Unicode normalization form, in linear time. Of more than 30 combining marks in a row the rest is left out. */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string {
  return text.replace(MARKS, '$1').normalize(form)
}

/** A text without the UTF-16 units at its end that match a pattern. A pattern such as /x+$/ would take quadratic time. */
export function trimEnd(text: string, unit: RegExp): string {
  let end = text.length
  while (end > 0 && unit.test(text[end - 1] as string)) end--
  return text.slice(0, end)
}
