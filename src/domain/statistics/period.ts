import { sql, type Sql } from '../../db/sql.ts'
import { invalid, invalidRequest, problemOf } from '../../lib/errors.ts'
import { addDays, DAY_MS, isoDay, parseInstant } from '../../lib/dates.ts'
import { idAt } from '../../lib/ids.ts'
import { message } from '../../messages/message.ts'

const MAX_DAYS = 366

/** Whole days in UTC, both ends included. */
export type Period = { first: Date; last: Date; days: number }

const startOfDay = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS)

/** The last `days` days, today included. */
export function lastDays(days: number): Period {
  const last = startOfDay(new Date())
  return { first: addDays(last, 1 - days), last, days }
}

/** From dates or instants in ISO 8601. Throws Invalid for other text, an end before the start, and more than `max` days. */
export function parsePeriod(startAt: string, endAt: string, max = MAX_DAYS): Period {
  const [start, end] = [parseInstant(startAt), parseInstant(endAt)]
  if (!start) throw invalid([problemOf('start_at', message('invalid'))])
  if (!end) throw invalid([problemOf('end_at', message('invalid'))])
  const [first, last] = [startOfDay(start), startOfDay(end)]
  if (last < first) throw invalidRequest('period_reversed')
  const days = (last.getTime() - first.getTime()) / DAY_MS + 1
  if (days > max) throw invalidRequest('period_too_long', { count: max })
  return { first, last, days }
}

/** As many days right before the period. */
export const periodBefore = ({ first, days }: Period): Period => ({
  first: addDays(first, -days),
  last: addDays(first, -1),
  days,
})

/** Conditions on columns that tell a time: an instant, a date, or the id of a status. */
export const during = ({ first, last }: Period) => ({
  instant: (column: Sql): Sql =>
    sql`(${column} >= ${first}::timestamptz and ${column} < ${addDays(last, 1)}::timestamptz)`,
  date: (column: Sql): Sql => sql`(${column} >= ${isoDay(first)}::date and ${column} <= ${isoDay(last)}::date)`,
  id: (column: Sql): Sql =>
    sql`(${column} >= ${idAt(first)}::bigint and ${column} < ${idAt(addDays(last, 1))}::bigint)`,
})

/** The day of an instant in UTC, as a date. */
export const utcDay = (instant: Sql): Sql => sql`(${instant} at time zone 'utc')::date`

/** The day of the id of a status, as a date. */
export const utcDayOfId = (id: Sql): Sql => sql`(to_timestamp((${id} >> 16) / 1000.0) at time zone 'utc')::date`

/** The months that a period touches, as a whole. */
export function wholeMonths({ first, last }: Period): Period {
  const start = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth()))
  const end = addDays(new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1)), -1)
  return { first: start, last: end, days: (end.getTime() - start.getTime()) / DAY_MS + 1 }
}
