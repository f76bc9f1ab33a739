const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/

/** ISO 8601, in UTC unless it names a zone; null for other text, for years beyond 9999 and for instants before 1970. */
export function parseInstant(text: string): Date | null {
  const match = INSTANT.exec(text.trim())
  if (!match) return null
  const [, day = '', time = '00:00', seconds = ':00', zone = 'Z'] = match
  const date = new Date(`${day}T${time}${seconds}${zoneOf(zone)}`)
  // Date would move a missing day, such as 30 February, into the next month.
  return isDay(day) && hasStorableYear(date) && date.getTime() > 0 ? date : null
}

/** Whether a text is a day, YYYY-MM-DD. PostgreSQL has no year 0. */
export function isDay(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00Z`) : null
  return date !== null && hasStorableYear(date) && date.toISOString().startsWith(text)
}

/** YYYY-MM-DD, in UTC. */
export const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

export const DAY_MS = 86_400_000

export const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

export const daysAgo = (days: number): Date => addDays(new Date(), -days)

/** Undefined for a date in the future, which would keep a status on top of every timeline. */
export const pastDate = (date: Date | null | undefined): Date | undefined =>
  date && date.getTime() < Date.now() ? date : undefined

/** From 1 to 9999: PostgreSQL does not read other years as `toISOString` writes them. False for invalid dates. */
export function hasStorableYear(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}

function zoneOf(zone: string): string {
  if (/^(z|utc)$/i.test(zone)) return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
