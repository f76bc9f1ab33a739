import type { Context } from '../../context.ts'
import type { Accounts, ReportNotes } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

/** In characters. */
export const MAX_NOTE = 2000

/** `username`: of the author; null when the account is gone. */
export type ReportNote = Pick<ReportNotes, 'id' | 'content' | 'account_id' | 'created_at'> & {
  username: Accounts['username'] | null
}

/** Oldest first. */
export const listReportNotes = (ctx: Context, reportId: string): Promise<ReportNote[]> =>
  ctx.db.many<ReportNote>(sql`
    select n.id, n.content, n.account_id, n.created_at, a.username
    from report_notes n left join accounts a on a.id = n.account_id where n.report_id = ${reportId} order by n.id limit 200`)

export async function insertReportNote(
  tx: Context,
  note: { reportId: string; accountId: string | null; content: string },
): Promise<void> {
  await tx.db.run(sql`
    insert into report_notes (report_id, account_id, content) values (${note.reportId}, ${note.accountId}, ${note.content})`)
}

/** False when there is no such note. */
export async function deleteReportNote(tx: Context, reportId: string, id: string): Promise<boolean> {
  return (await tx.db.run(sql`delete from report_notes where id = ${id} and report_id = ${reportId}`)) > 0
}
