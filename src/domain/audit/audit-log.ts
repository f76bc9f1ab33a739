import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { StaffId } from '../auth/staff.ts'

/**
 * The actions of staff, by the type of their target. The audit log page has a text for each type and each action, in
 * `messages/<language>/admin/operations.ts`.
 */
export const AUDIT_ACTIONS = {
  account: [
    'approve',
    'reject',
    'enable',
    'disable',
    'sensitive',
    'unsensitive',
    'silence',
    'unsilence',
    'suspend',
    'unsuspend',
    'memorialize',
    'unmemorialize',
    'warn',
    'delete_statuses',
    'mark_statuses_as_sensitive',
    'delete',
    'update',
    'confirm',
    'resend_confirmation',
    'change_email',
    'change_role',
    'reset_password',
    'disable_2fa',
    'refresh',
    'remove_avatar',
    'remove_header',
    'suppress_recommendation',
    'restore_recommendation',
    'add_note',
    'delete_note',
  ],
  appeal: ['approve', 'reject'],
  command: ['run'],
  account_warning_preset: ['create', 'update', 'delete'],
  report: ['assign', 'unassign', 'resolve', 'reopen', 'update', 'add_note', 'delete_note', 'delete_collection'],
  announcement: ['create', 'update', 'publish', 'unpublish', 'delete'],
  custom_emoji: ['create', 'copy', 'update', 'enable', 'disable', 'delete'],
  rule: ['create', 'update', 'order', 'delete'],
  settings: ['update'],
  domain_block: ['create', 'update', 'delete', 'import'],
  domain_allow: ['create', 'delete', 'import'],
  block_list: ['create', 'update', 'delete', 'accept', 'decline'],
  relay: ['create', 'enable', 'disable', 'delete'],
  server: ['restore_follows', 'clear_failures', 'stop_delivery', 'resume_delivery', 'purge', 'add_note', 'delete_note'],
  job: ['retry', 'discard'],
  fasp_provider: ['confirm', 'reject', 'update', 'delete'],
  webhook: ['create', 'update', 'enable', 'disable', 'rotate_secret', 'delete'],
  tag: ['approve', 'reject', 'update'],
  link: ['approve', 'reject'],
  publisher: ['approve', 'reject'],
  trending_status: ['approve', 'reject'],
  trending_author: ['approve', 'reject'],
  canonical_email_block: ['create', 'delete'],
  email_domain_block: ['create', 'delete'],
  invite: ['create', 'delete'],
  ip_block: ['create', 'update', 'delete'],
  role: ['create', 'update', 'delete'],
  terms_of_service: ['update', 'delete', 'publish', 'mail'],
  username_block: ['create', 'update', 'delete'],
} as const satisfies Record<string, readonly string[]>

export type AuditTarget = keyof typeof AUDIT_ACTIONS
export type AuditAction = (typeof AUDIT_ACTIONS)[AuditTarget][number]

type Entry<Target extends AuditTarget = AuditTarget> = Target extends AuditTarget
  ? {
      type: Target
      action: (typeof AUDIT_ACTIONS)[Target][number]
      id: string | null
      /** The name of the target: a handle, a domain or a title. It stays readable after the target is gone. */
      label?: string
      /** What changed. No secrets, and nothing that the target's owner keeps private. */
      details?: Readonly<Record<string, unknown>>
    }
  : never

/** Records an act of staff. Call it in the transaction of the act. */
export const insertAuditEntry = (tx: Context, staffId: StaffId, entry: Entry): Promise<void> =>
  insertAuditEntries(tx, staffId, [entry])

/** As insertAuditEntry, for an act with several targets. */
export async function insertAuditEntries(tx: Context, staffId: StaffId, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ type, action, id, label = '', details = {} }) => ({ type, action, id, label, details }))
  await tx.db.run(sql`
    insert into audit_log (account_id, action, target_type, target_id, target_label, details)
    select ${staffId}, action, type, id, label, details
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as entry (action text, type text, id text, label text, details jsonb)`)
}
