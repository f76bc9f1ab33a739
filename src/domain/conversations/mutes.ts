import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import type { StatusRow } from '../statuses/find.ts'

/** Silences what happens in the conversation of a status for an account. */
export async function muteConversation(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  if (status.conversation_id === null) throw invalidRequest('no_conversation')
  await ctx.db.run(
    sql`insert into conversation_mutes (account_id, conversation_id) values (${accountId}, ${status.conversation_id}) on conflict do nothing`,
  )
}

/** The opposite of muteConversation. */
export async function unmuteConversation(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  await ctx.db.run(
    sql`delete from conversation_mutes where account_id = ${accountId} and conversation_id = ${status.conversation_id}`,
  )
}
