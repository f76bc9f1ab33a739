/** Divides a list into parts of this length, of which the last may be shorter. */
export const inParts = <T>(items: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, part) => items.slice(part * length, (part + 1) * length))
