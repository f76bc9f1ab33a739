import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import type { Accounts, AuditLog } from '../../db/schema.ts'
import { allOf, sql } from '../../db/sql.ts'
import { everyoneRoleId } from '../auth/viewer.ts'

export type AuditEntry = Pick<
  AuditLog,
  'id' | 'account_id' | 'action' | 'target_type' | 'target_id' | 'target_label' | 'created_at'
> & { username: Accounts['username'] | null; details: Readonly<Record<string, unknown>> }

export type AuditFilter = {
  /** `command_line` for what no account did. */
  staff?: string | null
  type?: string | null
  action?: string | null
  /** The id of the target; needs its type. */
  targetId?: string | null
  since?: Date | null
  until?: Date | null
}

/** Newest first. */
export async function listAuditEntries(ctx: Context, filter: AuditFilter, page: Pagination): Promise<AuditEntry[]> {
  const { staff, type, action, targetId, since, until } = filter
  const conditions = allOf([
    staff === 'command_line' && sql`log.account_id is null`,
    staff && staff !== 'command_line' ? sql`log.account_id = ${staff}` : null,
    type ? sql`log.target_type = ${type}` : null,
    action ? sql`log.action = ${action}` : null,
    type && targetId ? sql`log.target_id = ${targetId}` : null,
    since && sql`log.created_at >= ${since}`,
    until && sql`log.created_at < ${until}`,
    within(sql`log.id`, page),
  ])
  const rows = await ctx.db.many<AuditEntry>(sql`
    select log.id, log.account_id, log.action, log.target_type, log.target_id, log.target_label, log.details, log.created_at,
      staff.username
    from audit_log log left join accounts staff on staff.id = log.account_id
    where ${conditions} ${ordered(sql`log.id`, page)}`)
  return newestFirst(rows, page)
}

/** The accounts that the log can name as staff: those with a role, by username. */
export function listStaff(ctx: Context): Promise<Pick<Accounts, 'id' | 'username'>[]> {
  return ctx.db.many(sql`
    select a.id, a.username from users u join accounts a on a.id = u.account_id
    where u.role_id <> ${everyoneRoleId} order by a.username limit 500`)
}
