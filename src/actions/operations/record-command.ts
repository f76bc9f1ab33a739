import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'

/** Records the run of a command that changes many rows. */
export const recordCommand = (ctx: Context, command: string, details: Record<string, unknown>): Promise<void> =>
  insertAuditEntry(ctx, null, { type: 'command', action: 'run', id: null, label: command, details })
