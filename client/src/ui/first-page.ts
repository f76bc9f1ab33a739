/** A list whose first page was loaded again: older items stay below it, unless so much is new that some may be missing between. */
export function withFirstPage<T>(page: readonly T[], before: readonly T[], keyOf: (item: T) => string): T[] {
  const fresh = new Set(page.map(keyOf))
  const last = page.at(-1)
  const at = last === undefined ? -1 : before.findIndex((item) => keyOf(item) === keyOf(last))
  return at < 0 ? [...page] : [...page, ...before.slice(at + 1).filter((item) => !fresh.has(keyOf(item)))]
}
