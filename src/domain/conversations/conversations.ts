import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { AccountConversations } from '../../db/schema.ts'
import { type Sql, newSnowflake, nothing, sql } from '../../db/sql.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'
import { hasBlockedDomainOf } from '../relationships/hidden.ts'
import type { StatusRow } from '../statuses/find.ts'
import { visibleTo } from '../statuses/visibility.ts'

/** A conversation of one account. `participant_ids` are the other accounts: none when it only wrote to itself. */
export type ConversationRow = Pick<AccountConversations, 'id' | 'participant_ids' | 'last_status_id' | 'unread'>

export type ChangedConversation = Pick<AccountConversations, 'id' | 'account_id'>

/** Most recently active first. The ids of the newest statuses are the cursors. */
export async function listConversations(ctx: Context, accountId: string, page: Pagination): Promise<ConversationRow[]> {
  const rows = await ctx.db.many<ConversationRow>(sql`
    ${visibleConversations(accountId)} and ${onPage(sql`c.last_status_id`, page)}`)
  return newestFirst(rows, page)
}

/** Null when the conversation is missing or hidden. */
export async function findConversation(ctx: Context, accountId: string, id: string): Promise<ConversationRow | null> {
  return ctx.db.maybe<ConversationRow>(sql`${visibleConversations(accountId)} and c.id = ${id}`)
}

/**
 * Leaves out conversations whose newest status is hidden from the account, and those with accounts of a domain that it blocks.
 */
function visibleConversations(accountId: string): Sql {
  return sql`
    select c.id, c.participant_ids, c.last_status_id, c.unread
    from account_conversations c join statuses s on s.id = c.last_status_id join accounts a on a.id = s.account_id
    where c.account_id = ${accountId} and ${visibleTo({ accountId })}
      and not ${hasBlockedDomainOf(accountId, sql`c.participant_ids`)}`
}

export const setUnread = async (tx: Context, id: string, unread: boolean): Promise<boolean> =>
  (await tx.db.run(sql`update account_conversations set unread = ${unread} where id = ${id} and unread <> ${unread}`)) >
  0

/** Its statuses stay. Throws NotFound. */
export async function deleteConversation(ctx: Context, accountId: string, id: string): Promise<void> {
  const deleted = await ctx.db.run(
    sql`delete from account_conversations where id = ${id} and account_id = ${accountId}`,
  )
  if (deleted === 0) throw new NotFound()
}

const newConversationId: Sql = newSnowflake(sql`nextval('account_conversation_sequence')`)

/**
 * Adds direct statuses to the conversations of their local authors and of the local accounts that were notified of the mention:
 * blocks, mutes and notification policies therefore keep a status out of conversations too. Call it in the transaction that
 * inserts the statuses, after their notifications. Changes only the conversations of `accountIds` when given; ignores statuses
 * that are not direct. May run twice. Returns the conversations.
 */
export function insertIntoConversations(
  tx: Context,
  statusIds: readonly string[],
  accountIds?: readonly string[],
): Promise<ChangedConversation[]> {
  return tx.db.many<ChangedConversation>(sql`
    with new_status as materialized (
      select s.id, s.account_id, s.conversation_id from statuses s
      where s.id = any(${statusIds}::bigint[]) and s.visibility = 'direct' and s.reblog_of_id is null and s.conversation_id is not null
    ), participants as materialized (
      select id, account_id from new_status union select new_status.id, m.account_id from new_status join mentions m on m.status_id = new_status.id and not m.hidden
    ), owners as (
      select new_status.*, new_status.account_id as owner_id, false as unread from new_status join users u on u.account_id = new_status.account_id
      union
      select new_status.*, n.account_id, true from new_status join notifications n on n.status_id = new_status.id
      where n.type = 'mention' and not n.filtered and n.account_id <> new_status.account_id
    ), placed as materialized (
      select *, md5(array_to_string(participant_ids, ','))::uuid as digest from (
        select o.id, o.owner_id, o.conversation_id, o.unread,
          array(select p.account_id from participants p where p.id = o.id and p.account_id <> o.owner_id order by 1) as participant_ids
        from owners o where ${accountIds === undefined ? sql`true` : sql`o.owner_id = any(${accountIds}::bigint[])`}
      ) each
    ), rows as (
      insert into account_conversations as c (id, account_id, conversation_id, participant_ids, participants_digest, last_status_id, unread)
      select ${newConversationId}, owner_id, conversation_id, participant_ids, digest, max(id), bool_or(unread)
      from placed group by owner_id, conversation_id, participant_ids, digest order by owner_id
      on conflict (account_id, conversation_id, participants_digest) do update set
        last_status_id = greatest(c.last_status_id, excluded.last_status_id),
        -- A status from another account is unread even when it arrives late; an own status marks as read only as the newest.
        unread = case when excluded.unread then true when excluded.last_status_id >= c.last_status_id then false else c.unread end
      returning c.id, c.account_id, c.conversation_id, c.participants_digest
    ), links as (
      insert into account_conversation_statuses (account_conversation_id, status_id)
      select r.id, p.id from rows r join placed p
        on p.owner_id = r.account_id and p.conversation_id = r.conversation_id and p.digest = r.participants_digest
      on conflict do nothing
    )
    select id, account_id from rows`)
}

/** Statuses to remove from conversations: these, only from the conversations of `accountIds` when given; or all of an author. */
export type RemovedStatuses = { statusIds: readonly string[]; accountIds?: readonly string[] } | { authorId: string }

/**
 * Removes direct statuses from conversations, and conversations without statuses. Call it in the transaction that deletes the
 * statuses, before it does. Returns the conversations whose newest status is another one now.
 */
export async function deleteFromConversations(tx: Context, removed: RemovedStatuses): Promise<ChangedConversation[]> {
  const statuses =
    'authorId' in removed
      ? sql`select id from statuses where account_id = ${removed.authorId} and visibility = 'direct'`
      : sql`select unnest(${removed.statusIds}::bigint[])`
  const accountIds = 'authorId' in removed ? undefined : removed.accountIds
  // Locked in a statement of its own, so that the next one sees statuses that another transaction was adding.
  const locked = await tx.db.many<Pick<AccountConversations, 'id'>>(sql`
    select c.id from account_conversations c
    where c.id in (select l.account_conversation_id from account_conversation_statuses l where l.status_id in (${statuses}))
      ${accountIds === undefined ? nothing : sql`and c.account_id = any(${accountIds}::bigint[])`}
    order by c.id for update`)
  if (locked.length === 0) return []
  const ids = locked.map(({ id }) => id)
  await tx.db.run(sql`
    delete from account_conversation_statuses
    where account_conversation_id = any(${ids}::bigint[]) and status_id in (${statuses})`)
  await tx.db.run(sql`
    delete from account_conversations c where c.id = any(${ids}::bigint[])
      and not exists (select from account_conversation_statuses l where l.account_conversation_id = c.id)`)
  return tx.db.many<ChangedConversation>(sql`
    update account_conversations c set last_status_id = newest.id
    from (select account_conversation_id, max(status_id) as id from account_conversation_statuses
      where account_conversation_id = any(${ids}::bigint[]) group by 1) newest
    where c.id = newest.account_conversation_id and c.last_status_id <> newest.id
    returning c.id, c.account_id`)
}

export async function removeConversationsWith(tx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await tx.db.run(sql`
    delete from account_conversations where account_id = ${accountId} and ${targetAccountId}::bigint = any(participant_ids)`)
}

/** Mutes notifications from the thread of a status. Throws Invalid for a status without a thread. */
export async function muteConversation(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  if (status.conversation_id === null) throw invalidRequest('no_conversation')
  await ctx.db.run(
    sql`insert into conversation_mutes (account_id, conversation_id) values (${accountId}, ${status.conversation_id}) on conflict do nothing`,
  )
}

export async function unmuteConversation(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  await ctx.db.run(
    sql`delete from conversation_mutes where account_id = ${accountId} and conversation_id = ${status.conversation_id}`,
  )
}
