import type { Context } from '../../context.ts'
import { clearTranslations } from '../../domain/clean-up/upkeep.ts'

/** Stored translations, and what running processes remember of settings, roles and keys. */
export const clearCaches = (ctx: Context): Promise<number> =>
  ctx.transaction(async (tx) => {
    const count = await clearTranslations(tx)
    tx.publish({ type: 'settings.changed' }, { type: 'roles.changed' }, { type: 'webhooks.changed' })
    return count
  })
