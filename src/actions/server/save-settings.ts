import type { Context } from '../../context.ts'
import { updateSettings, type Settings } from '../../domain/server/settings.ts'

/** Stores settings of the server. Every process then reads them again. */
export const saveSettings = (ctx: Context, changes: Partial<Settings>): Promise<void> =>
  ctx.transaction(async (tx) => {
    await updateSettings(tx, changes)
    tx.publish({ type: 'settings.changed' })
  })
