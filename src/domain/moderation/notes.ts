// The notes of staff about an account or a server, for each other.
import type { Context } from '../../context.ts'
import type { AccountModerationNotes, Accounts } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'

/** In characters. */
export const MAX_MODERATION_NOTE = 2000

/** `username`: of the author; null when the account is gone. */
export type ModerationNote = Pick<AccountModerationNotes, 'id' | 'content' | 'account_id' | 'created_at'> & {
  username: Accounts['username'] | null
}

type Subject = { accountId: string } | { domain: string }

const MAX_NOTES = 200

const tableOf = (subject: Subject): Sql =>
  'domain' in subject ? sql`server_moderation_notes` : sql`account_moderation_notes`

const isAbout = (subject: Subject): Sql =>
  'domain' in subject ? sql`n.domain = ${subject.domain}` : sql`n.target_account_id = ${subject.accountId}`

/** Oldest first. */
export const listModerationNotes = (ctx: Context, subject: Subject): Promise<ModerationNote[]> =>
  ctx.db.many<ModerationNote>(sql`
    select n.id, n.content, n.account_id, n.created_at, a.username
    from ${tableOf(subject)} n left join accounts a on a.id = n.account_id
    where ${isAbout(subject)} order by n.id limit ${MAX_NOTES}`)

/** `authorId`: null for the command line. */
export async function insertModerationNote(
  tx: Context,
  subject: Subject,
  { authorId, content }: { authorId: string | null; content: string },
): Promise<void> {
  const columns = 'domain' in subject ? sql`domain` : sql`target_account_id`
  const value = 'domain' in subject ? subject.domain : subject.accountId
  await tx.db.run(sql`
    insert into ${tableOf(subject)} (${columns}, account_id, content) values (${value}, ${authorId}, ${content})`)
}

/** False when there is no such note about the subject. */
export const deleteModerationNote = async (tx: Context, subject: Subject, id: string): Promise<boolean> =>
  (await tx.db.run(sql`delete from ${tableOf(subject)} n where n.id = ${id} and ${isAbout(subject)}`)) > 0
