const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Such as `512 B`, `1.5 MB`, `20 GB`. */
export function readableSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}

const FACTORS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** The bytes in `500 MB`, `20G` or `1000000`; null for other texts. */
export function parseSize(text: string): number | null {
  const [, number, unit = ''] = /^\s*(\d{1,15}(?:\.\d{1,6})?)\s?([kmgt]?)b?\s*$/i.exec(text) ?? []
  return number === undefined ? null : Math.round(Number(number) * (FACTORS[unit.toLowerCase()] ?? 1))
}
