import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { publishChanged } from './add.ts'
import { hasBlockedDomainOf } from '../relationships/hidden.ts'

/** Somebody's conversation: with whom (nobody: with themselves), its newest post, and whether they have seen it. */
export type ConversationRow = { id: string; participant_ids: string[]; last_status_id: string; unread: boolean }

/** A page of somebody's conversations, that with the newest post first. Pages by the ids of these posts. */
export async function listConversations(ctx: Context, accountId: string, page: Pagination): Promise<ConversationRow[]> {
  const rows = await ctx.db.many<ConversationRow>(sql`
    ${shown(accountId)} and ${within(sql`c.last_status_id`, page)} ${ordered(sql`c.last_status_id`, page)}`)
  return newestFirst(rows, page)
}

/** One of somebody's conversations; null when it is not there, or hidden by now. */
export async function findConversation(ctx: Context, accountId: string, id: string): Promise<ConversationRow | null> {
  return ctx.db.maybe<ConversationRow>(sql`${shown(accountId)} and c.id = ${id}`)
}

/** Marks a conversation as read, or as unread. Throws NotFound. */
export async function markConversation(
  ctx: Context,
  accountId: string,
  id: string,
  unread: boolean,
): Promise<ConversationRow> {
  return ctx.transaction(async (tx) => {
    const conversation = await findConversation(tx, accountId, id)
    if (!conversation) throw new NotFound()
    const changed = await tx.db.run(
      sql`update account_conversations set unread = ${unread} where id = ${id} and unread <> ${unread}`,
    )
    if (changed > 0) publishChanged(tx, [{ id, account_id: accountId }])
    return { ...conversation, unread }
  })
}

/** Deletes a conversation for one of the people in it; its posts stay. Throws NotFound. */
export async function deleteConversation(ctx: Context, accountId: string, id: string): Promise<void> {
  const gone = await ctx.db.run(sql`delete from account_conversations where id = ${id} and account_id = ${accountId}`)
  if (gone === 0) throw new NotFound()
}

/** Conversations of the account, without those whose newest post it may not read, and those with people of domains it blocks. */
function shown(accountId: string): Sql {
  return sql`
    select c.id, c.participant_ids, c.last_status_id, c.unread
    from account_conversations c join statuses s on s.id = c.last_status_id join accounts a on a.id = s.account_id
    where c.account_id = ${accountId} and ${visibleTo({ accountId })}
      and not ${hasBlockedDomainOf(accountId, sql`c.participant_ids`)}`
}
