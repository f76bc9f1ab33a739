import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, ordered, within } from '../../db/page.ts'
import { type Sql, nothing, sql } from '../../db/sql.ts'
import { hasBlockedDomainOf } from '../relationships/hidden.ts'
import type { StatusRow } from '../statuses/find.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'

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

/** A snowflake like all others, made where the rows are. */
const newSnowflake: Sql = sql`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 16) | (nextval('account_conversation_sequence') & 65535)`

/**
 * Puts direct posts into the conversations of their authors and of those of this server who were told of them: who did not want
 * to hear of one (blocks, mutes, policy) finds it in no conversation either. Within the transaction that made the posts, after
 * its notifications. With `to`, into theirs only. Whatever else the posts are, nothing happens. Doing it twice changes nothing.
 */
export async function addToConversations(
  tx: Context,
  statusIds: readonly string[],
  to?: readonly string[],
): Promise<void> {
  const rows = await tx.db.many<{ id: string; account_id: string }>(sql`
    with post as materialized (
      select s.id, s.account_id, s.conversation_id from statuses s
      where s.id = any(${statusIds}::bigint[]) and s.visibility = 'direct' and s.reblog_of_id is null and s.conversation_id is not null
    ), people as materialized (
      select id, account_id from post union select post.id, m.account_id from post join mentions m on m.status_id = post.id
    ), owners as (
      select post.*, post.account_id as owner_id, false as unread from post join users u on u.account_id = post.account_id
      union
      select post.*, n.account_id, true from post join notifications n on n.status_id = post.id
      where n.type = 'mention' and not n.filtered and n.account_id <> post.account_id
    ), placed as materialized (
      select *, md5(array_to_string(participant_ids, ','))::uuid as digest from (
        select o.id, o.owner_id, o.conversation_id, o.unread,
          array(select p.account_id from people p where p.id = o.id and p.account_id <> o.owner_id order by 1) as participant_ids
        from owners o where ${to === undefined ? sql`true` : sql`o.owner_id = any(${to}::bigint[])`}
      ) each
    ), rows as (
      insert into account_conversations as c (id, account_id, conversation_id, participant_ids, participants_digest, last_status_id, unread)
      select ${newSnowflake}, owner_id, conversation_id, participant_ids, digest, max(id), bool_or(unread)
      from placed group by owner_id, conversation_id, participant_ids, digest order by owner_id
      on conflict (account_id, conversation_id, participants_digest) do update set
        last_status_id = greatest(c.last_status_id, excluded.last_status_id),
        -- What comes late from elsewhere is unread; what one wrote oneself, some time before the last post, reads nothing.
        unread = case when excluded.unread then true when excluded.last_status_id >= c.last_status_id then false else c.unread end
      returning c.id, c.account_id, c.conversation_id, c.participants_digest
    ), links as (
      insert into account_conversation_statuses (account_conversation_id, status_id)
      select r.id, p.id from rows r join placed p
        on p.owner_id = r.account_id and p.conversation_id = r.conversation_id and p.digest = r.participants_digest
      on conflict do nothing
    )
    select id, account_id from rows`)
  publishChanged(tx, rows)
}

/** Tells those whose conversations these are that they are not as they were. */
function publishChanged(tx: Context, rows: readonly { id: string; account_id: string }[]): void {
  tx.publish(...rows.map(({ id, account_id: accountId }) => ({ type: 'conversation.changed' as const, id, accountId })))
}

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
