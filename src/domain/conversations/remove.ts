import type { Context } from '../../context.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { publishChanged } from './add.ts'

/**
 * Takes posts out of the conversations they are in, or out of those of some accounts: the last one before them is then the last
 * one, and a conversation without posts is gone. `statuses` is a statement that gives ids. Within the transaction that deletes
 * them, before it does.
 */
export async function removeFromConversations(
  tx: Context,
  statuses: Sql,
  accountIds?: readonly string[],
): Promise<void> {
  // Held in a statement of its own, so that the next one sees what was being added at this moment.
  const held = await tx.db.many<{ id: string }>(sql`
    select c.id from account_conversations c
    where c.id in (select l.account_conversation_id from account_conversation_statuses l where l.status_id in (${statuses}))
      ${accountIds === undefined ? nothing : sql`and c.account_id = any(${accountIds}::bigint[])`}
    order by c.id for update`)
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  await tx.db.run(sql`
    delete from account_conversation_statuses
    where account_conversation_id = any(${ids}::bigint[]) and status_id in (${statuses})`)
  await tx.db.run(sql`
    delete from account_conversations c where c.id = any(${ids}::bigint[])
      and not exists (select from account_conversation_statuses l where l.account_conversation_id = c.id)`)
  const moved = await tx.db.many<{ id: string; account_id: string }>(sql`
    update account_conversations c set last_status_id = newest.id
    from (select account_conversation_id, max(status_id) as id from account_conversation_statuses
      where account_conversation_id = any(${ids}::bigint[]) group by 1) newest
    where c.id = newest.account_conversation_id and c.last_status_id <> newest.id
    returning c.id, c.account_id`)
  publishChanged(tx, moved)
}

/** Removes an account's conversations in which another account takes part. The statuses stay. */
export async function removeConversationsWith(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await tx.db.run(sql`
    delete from account_conversations where account_id = ${accountId} and ${targetAccountId}::bigint = any(participant_ids)`)
}
