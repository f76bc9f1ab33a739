/** A text without the UTF-16 units at its end that match a pattern. A pattern such as /x+$/ would take quadratic time. */
export function trimEnd(text: string, unit: RegExp): string {
  let end = text.length
  while (end > 0 && unit.test(text[end - 1] as string)) end--
  return text.slice(0, end)
}
