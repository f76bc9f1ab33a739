// The notes of staff about an account, which it does not see.
import type { Context } from '../../context.ts'
import type { AccountModerationNotes, Accounts } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

/** `username`: of the author; null when the account is gone. */
export type ModerationNote = Pick<AccountModerationNotes, 'id' | 'content' | 'account_id' | 'created_at'> & {
  username: Accounts['username'] | null
}

const MAX_NOTES = 200

/** Oldest first. */
export const listModerationNotes = (ctx: Context, accountId: string): Promise<ModerationNote[]> =>
  ctx.db.many<ModerationNote>(sql`
    select n.id, n.content, n.account_id, n.created_at, a.username
    from account_moderation_notes n left join accounts a on a.id = n.account_id
    where n.target_account_id = ${accountId} order by n.id limit ${MAX_NOTES}`)

export async function insertModerationNote(
  tx: Context,
  note: { targetId: string; authorId: string | null; content: string },
): Promise<void> {
  await tx.db.run(sql`
    insert into account_moderation_notes (target_account_id, account_id, content) values (${note.targetId}, ${note.authorId}, ${note.content})`)
}

/** False when the account has no such note. */
export const deleteModerationNote = async (tx: Context, targetId: string, id: string): Promise<boolean> =>
  (await tx.db.run(sql`delete from account_moderation_notes where id = ${id} and target_account_id = ${targetId}`)) > 0
