// The private notes of viewers about accounts.
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidField } from '../../lib/errors.ts'

/** In characters. */
export const PRIVATE_NOTE_LIMIT = 2000

/** An empty comment deletes the note. Throws Invalid when it is too long. */
export async function storeAccountNote(
  ctx: Context,
  note: { accountId: string; targetAccountId: string; comment: string },
): Promise<void> {
  const { accountId, targetAccountId, comment } = note
  if (Array.from(comment).length > PRIVATE_NOTE_LIMIT)
    throw invalidField('comment', 'too_long', { count: PRIVATE_NOTE_LIMIT })
  await ctx.db.run(
    comment.trim() === ''
      ? sql`delete from account_notes where account_id = ${accountId} and target_account_id = ${targetAccountId}`
      : sql`insert into account_notes (account_id, target_account_id, comment) values (${accountId}, ${targetAccountId}, ${comment})
        on conflict (account_id, target_account_id) do update set comment = excluded.comment`,
  )
}
