import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Removes the conversations of an account in which another one takes part. The posts stay. */
export async function forgetConversations(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await tx.db.run(sql`
    delete from account_conversations where account_id = ${accountId} and ${targetAccountId}::bigint = any(participant_ids)`)
}
