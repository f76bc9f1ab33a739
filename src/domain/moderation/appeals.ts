import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { Appeals } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { daysAgo } from '../../lib/dates.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import type { StaffId } from '../auth/staff.ts'
import { appealState, type AppealState, isAppealIn, type Warning, type WarningAction } from './warnings.ts'

/** Days within which a warning can be appealed. */
export const APPEAL_DAYS = 20
/** In characters. */
export const MAX_APPEAL = 2000

/** Whether the warned account can still appeal. */
export const isAppealable = ({ appeal, overruled_at, created_at }: Warning): boolean =>
  appeal === null && overruled_at === null && created_at > daysAgo(APPEAL_DAYS)

/** Null when the warning has an appeal already. */
export async function insertAppeal(tx: Context, warning: Warning, text: string): Promise<string | null> {
  const row = await tx.db.maybe<{ id: string }>(sql`
    insert into appeals (account_warning_id, account_id, text) values (${warning.id}, ${warning.target_account_id}, ${text})
    on conflict (account_warning_id) do nothing returning id`)
  return row?.id ?? null
}

export type AppealRow = Pick<Appeals, 'id' | 'account_warning_id' | 'account_id' | 'text' | 'created_at'> & {
  state: AppealState
  /** The username of the account that appeals. */
  username: string
  action: WarningAction
  /** The text of the warning. */
  warning_text: string
  status_ids: string[]
  collection_ids: string[]
  /** The report that led to the warning. */
  report_id: string | null
  warned_at: Date
  /** The username of the member of staff who warned; null for the command line, and after their account is gone. */
  staff: string | null
}

const select = sql`
  select p.id, p.account_warning_id, p.account_id, p.text, p.created_at, a.username, w.action, w.text as warning_text, w.status_ids, w.collection_ids,
    w.report_id, w.created_at as warned_at, s.username as staff,
    ${appealState} as state
  from appeals p join account_warnings w on w.id = p.account_warning_id join accounts a on a.id = p.account_id
    left join accounts s on s.id = w.account_id`

export async function listAppeals(ctx: Context, state: AppealState, page: Pagination): Promise<AppealRow[]> {
  const rows = await ctx.db.many<AppealRow>(sql`${select} where ${isAppealIn[state]} and ${onPage(sql`p.id`, page)}`)
  return newestFirst(rows, page)
}

export const countPendingAppeals = async (ctx: Context): Promise<number> =>
  (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from appeals p where ${isAppealIn.pending}`)).n

/** Simultaneous decisions wait. Throws NotFound, and Forbidden for an appeal that is decided. */
export async function lockPendingAppeal(tx: Context, id: string): Promise<AppealRow> {
  await tx.db.run(sql`select from appeals where id = ${id} for update`)
  const appeal = await tx.db.maybe<AppealRow>(sql`${select} where p.id = ${id}`)
  if (!appeal) throw new NotFound()
  if (appeal.state !== 'pending') throw new Forbidden(message('state_changed'))
  return appeal
}

export async function storeDecision(
  tx: Context,
  staffId: StaffId,
  { id, approved }: { id: string; approved: boolean },
): Promise<void> {
  await tx.db.run(
    approved
      ? sql`update appeals set approved_at = now(), approved_by_account_id = ${staffId} where id = ${id}`
      : sql`update appeals set rejected_at = now(), rejected_by_account_id = ${staffId} where id = ${id}`,
  )
}
