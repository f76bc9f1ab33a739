import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { idAt } from '../../lib/ids.ts'

/** Ids from one (included) up to another (left out). */
export type Range = { from: string; to: string }

/** Above every id. */
export const LAST_ID = '9223372036854775807'

/** What is in both ranges. */
export function narrow(a: Range, b: Range): Range {
  return {
    from: BigInt(a.from) > BigInt(b.from) ? a.from : b.from,
    to: BigInt(a.to) < BigInt(b.to) ? a.to : b.to,
  }
}

/** Days (YYYY-MM-DD) where the person lives, as the ids of posts between which they lie. */
export async function daysOf(
  ctx: Context,
  userId: string,
  days: readonly string[],
): Promise<Map<string, { start: string; end: string }>> {
  if (days.length === 0) return new Map()
  const user = await ctx.db.maybe<{ time_zone: string | null }>(sql`select time_zone from users where id = ${userId}`)
  return new Map(
    days.map((day) => {
      const date = Temporal.PlainDate.from(day)
      return [
        day,
        { start: idOf(date, user?.time_zone ?? null), end: idOf(date.add({ days: 1 }), user?.time_zone ?? null) },
      ]
    }),
  )
}

function idOf(date: Temporal.PlainDate, timeZone: string | null): string {
  const id = idAt(new Date(midnight(date, timeZone).epochMilliseconds))
  return BigInt(id) > BigInt(LAST_ID) ? LAST_ID : id
}

function midnight(date: Temporal.PlainDate, timeZone: string | null): Temporal.ZonedDateTime {
  try {
    return date.toZonedDateTime(timeZone ?? 'UTC')
  } catch {
    // A zone that this system does not know.
    return date.toZonedDateTime('UTC')
  }
}
