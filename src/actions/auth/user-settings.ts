import type { Context } from '../../context.ts'
import { updateLocale, updateUserSettings, type UserLocale } from '../../domain/auth/users.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'

/** Absent members stay as they are. */
export async function saveUserSettings(ctx: Context, userId: string, changes: UserSettings): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await ctx.transaction(async (tx) => {
    await updateUserSettings(tx, userId, changes)
    tx.publish({ type: 'user.changed', userId })
  })
}

/** Throws Invalid for an unknown language or time zone. */
export async function saveUserLocale(ctx: Context, userId: string, locale: UserLocale): Promise<void> {
  await ctx.transaction(async (tx) => {
    await updateLocale(tx, userId, locale)
    tx.publish({ type: 'user.changed', userId })
  })
}
