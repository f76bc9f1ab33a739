import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'

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
export function publishChanged(tx: Context, rows: readonly { id: string; account_id: string }[]): void {
  tx.publish(...rows.map(({ id, account_id: accountId }) => ({ type: 'conversation.changed' as const, id, accountId })))
}
