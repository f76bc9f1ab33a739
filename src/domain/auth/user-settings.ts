import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidField } from '../../lib/errors.ts'
import { LOCALES } from './locales.ts'
import type { UserSettings } from './viewer.ts'

/** Stores what a person chose for themselves. Members that are absent stay as they are. */
export async function saveUserSettings(ctx: Context, userId: string, changes: UserSettings): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`update users set settings = settings || ${JSON.stringify(changes)}::jsonb where id = ${userId}`)
    tx.publish({ type: 'user.changed', userId })
  })
}

export type Place = { locale: string; time_zone: string | null }

/** The language in which a person wants to be addressed, and where their clock is. */
export function placeOf(ctx: Context, userId: string): Promise<Place & { settings: UserSettings }> {
  return ctx.db.one(sql`select locale, time_zone, settings from users where id = ${userId}`)
}

/** Stores language and time zone. Throws Invalid for names that nobody knows. */
export async function savePlace(ctx: Context, userId: string, { locale, time_zone: zone }: Place): Promise<void> {
  if (!LOCALES.has(locale)) throw invalidField('locale', 'invalid')
  if (zone !== null && !isTimeZone(zone)) throw invalidField('time_zone', 'invalid')
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`update users set locale = ${locale}, time_zone = ${zone} where id = ${userId}`)
    tx.publish({ type: 'user.changed', userId })
  })
}

/** Whether this is the name of a time zone, such as `Europe/Vienna`. */
export function isTimeZone(name: string | undefined): name is string {
  if (!name) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
