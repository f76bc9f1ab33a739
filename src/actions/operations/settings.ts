import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { Settings } from '../../domain/server/settings.ts'
import { saveSettings } from '../server/settings.ts'

/** As saveSettings, for the command line. The values were checked. */
export const setSettings = (ctx: Context, changes: Partial<Settings>): Promise<void> =>
  ctx.transaction(async (tx) => {
    await saveSettings(tx, changes)
    const details = { names: Object.keys(changes) }
    await insertAuditEntry(tx, null, { type: 'settings', action: 'update', id: null, details })
  })
