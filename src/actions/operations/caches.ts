import type { Context } from '../../context.ts'
import { invalidateAllCaches } from '../../db/changes.ts'
import { clearTranslations } from '../../domain/clean-up/upkeep.ts'

/** Deletes stored translations, and makes all processes empty their caches. Returns how many translations there were. */
export const clearCaches = (ctx: Context): Promise<number> =>
  ctx.transaction(async (tx) => {
    const count = await clearTranslations(tx)
    await invalidateAllCaches(tx.db)
    tx.publish({ type: 'settings.changed' })
    return count
  })
