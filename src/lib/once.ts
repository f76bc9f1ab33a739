/** Does something when it is first asked for, and no second time: what costs time and may never be needed. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
