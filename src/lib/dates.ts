const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/

/** ISO 8601, in UTC unless it names a zone; null for other text, for years beyond 9999 and for instants before 1970. */
export function parseInstant(text: string): Date | null {
  const match = INSTANT.exec(text.trim())
  if (!match) return null
  const [, day = '', time = '00:00', seconds = ':00', zone = 'Z'] = match
  const date = new Date(`${day}T${time}${seconds}${zoneOf(zone)}`)
  if (Number.isNaN(date.getTime())) return null
  // Date would move a missing day, such as 30 February, into the next month.
  const named = new Date(`${day}T00:00Z`)
  return named.toISOString().startsWith(day) && date.getTime() > 0 ? date : null
}

function zoneOf(zone: string): string {
  if (/^(z|utc)$/i.test(zone)) return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
