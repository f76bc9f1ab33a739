import type { Context } from '../../context.ts'
import type { AccountWarnings } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { StaffId } from '../auth/staff.ts'

/** What a warning tells its account: the `action` of the AccountWarning entity. */
export const WARNING_ACTIONS = [
  'none',
  'disable',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'suspend',
] as const satisfies readonly AccountWarnings['action'][]
export type WarningAction = (typeof WARNING_ACTIONS)[number]

/** Those about the account itself, not about its statuses and collections: the `type` of the API's account actions. */
export const ACCOUNT_ACTIONS = [
  'none',
  'sensitive',
  'disable',
  'silence',
  'suspend',
] as const satisfies readonly WarningAction[]

export type NewWarning = {
  accountId: string
  action: WarningAction
  text: string
  reportId: string | null
  statusIds: readonly string[]
  collectionIds: readonly string[]
}

/** Returns the id of the warning. */
export async function insertWarning(tx: Context, staffId: StaffId, warning: NewWarning): Promise<string> {
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into account_warnings (account_id, target_account_id, report_id, action, text, status_ids, collection_ids)
    values (${staffId}, ${warning.accountId}, ${warning.reportId}, ${warning.action}, ${warning.text}, ${warning.statusIds}::bigint[],
      ${warning.collectionIds}::bigint[])
    returning id`)
  return id
}

export type AppealState = 'approved' | 'rejected' | 'pending'

/** Conditions on an appeal `p`. */
export const isAppealIn: Record<AppealState, Sql> = {
  approved: sql`p.approved_at is not null`,
  rejected: sql`p.rejected_at is not null`,
  pending: sql`p.approved_at is null and p.rejected_at is null`,
}
export const appealState = sql`
  case when ${isAppealIn.approved} then 'approved' when ${isAppealIn.rejected} then 'rejected' else 'pending' end`

export type Warning = Pick<
  AccountWarnings,
  'id' | 'target_account_id' | 'report_id' | 'text' | 'status_ids' | 'collection_ids' | 'overruled_at' | 'created_at'
> & {
  action: WarningAction
  /** The username of the member of staff; null for the command line, and after their account is gone. */
  staff: string | null
  appeal: { id: string; text: string; state: AppealState; created_at: string } | null
}

const columns = sql`w.id, w.target_account_id, w.report_id, w.action, w.text, w.status_ids, w.collection_ids, w.overruled_at, w.created_at,
  (select s.username from accounts s where s.id = w.account_id) as staff,
  (select json_build_object('id', p.id::text, 'text', p.text, 'created_at', p.created_at,
      'state', ${appealState})
    from appeals p where p.account_warning_id = w.id) as appeal`

const MAX_LISTED = 100

/** Newest first. */
export const listWarnings = (ctx: Context, accountId: string): Promise<Warning[]> =>
  ctx.db.many<Warning>(sql`
    select ${columns} from account_warnings w where w.target_account_id = ${accountId} order by w.id desc limit ${MAX_LISTED}`)

export const findWarnings = (ctx: Context, ids: readonly string[]): Promise<Warning[]> =>
  ctx.db.many<Warning>(sql`select ${columns} from account_warnings w where w.id = any(${ids}::bigint[])`)

/** Throws NotFound unless the warning is about the account. */
export async function getWarningOf(ctx: Context, accountId: string, id: string): Promise<Warning> {
  const warning = await ctx.db.maybe<Warning>(
    sql`select ${columns} from account_warnings w where w.id = ${id} and w.target_account_id = ${accountId}`,
  )
  if (!warning) throw new NotFound()
  return warning
}

/** The account's warnings of this action have no effect any more: it was undone. */
export async function overruleWarnings(tx: Context, accountId: string, action: WarningAction): Promise<void> {
  await tx.db.run(sql`
    update account_warnings set overruled_at = now()
    where target_account_id = ${accountId} and action = ${action} and overruled_at is null`)
}

export async function overruleWarning(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`update account_warnings set overruled_at = coalesce(overruled_at, now()) where id = ${id}`)
}
