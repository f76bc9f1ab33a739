import { idAt } from '../../lib/ids.ts'

/** The tenth of December: from then on a year may be looked back upon. */
const startOf = (year: number): number => Date.UTC(year, 11, 10)

/** The year for which people are invited to look back at present: during its last three weeks; otherwise null. */
export function campaignYear(now: Date): number | null {
  const year = now.getUTCFullYear()
  return now.getTime() >= startOf(year) ? year : null
}

/** Whether a year is over, or nearly. */
export const isReportable = (year: number, now: Date): boolean => now.getTime() >= startOf(year)

/** A year as ids: from the first one in it to the first after it. */
export function idsOfYear(year: number): { from: string; to: string } {
  return { from: idAt(new Date(Date.UTC(year, 0, 1))), to: idAt(new Date(Date.UTC(year + 1, 0, 1))) }
}
