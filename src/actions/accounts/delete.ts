import { revokeTokensOf } from '../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { removeFromConversations } from '../../domain/conversations/conversations.ts'
import { removeTraces } from '../../domain/accounts/remove-traces.ts'
import { federate } from '../federate.ts'
import { isPublicOrUnlisted } from '../../domain/statuses/visibility.ts'

/**
 * Deletes somebody of this server for good: posts, media, ties, sign-in. What stays is the bare row, suspended: it keeps the
 * name from being taken by another, answers 410, and signs the Delete that other servers are sent.
 */
export async function deleteAccount(ctx: Context, accountId: string): Promise<void> {
  const files = await ctx.transaction(async (tx) => {
    // Held: what the person is doing at this moment is done before, or not at all.
    await tx.db.run(sql`select from accounts where id = ${accountId} for update`)
    const user = await tx.db.maybe<{ id: string }>(sql`select id from users where account_id = ${accountId}`)
    if (user) await revokeTokensOf(tx, user.id)
    const keys = await fileKeysOf(tx, accountId)
    await takeBackCounts(tx, accountId)
    await removeRows(tx, accountId)
    await federate(tx, { activity: 'delete-actor', accountId })
    if (user) tx.publish({ type: 'user.changed', userId: user.id })
    return keys
  })
  await ctx.files.delete(files)
}

/** Removes an account of another server that is gone there, with all that it left here. */
export async function purgeRemoteAccount(ctx: Context, accountId: string): Promise<void> {
  const files = await ctx.transaction(async (tx) => {
    const account = await tx.db.maybe(
      sql`select id from accounts where id = ${accountId} and domain is not null for update`,
    )
    if (!account) return []
    const keys = await fileKeysOf(tx, accountId)
    await takeBackCounts(tx, accountId)
    await leaveConversations(tx, accountId)
    await tx.db.run(sql`delete from accounts where id = ${accountId}`)
    return keys
  })
  await ctx.files.delete(files)
}

/** The conversations of others go back to what they were told before. */
const leaveConversations = (tx: Context, accountId: string): Promise<void> =>
  removeFromConversations(tx, sql`select id from statuses where account_id = ${accountId} and visibility = 'direct'`)

async function fileKeysOf(tx: Context, accountId: string): Promise<string[]> {
  const rows = await tx.db.many<{ key: string }>(sql`
    select unnest(array[file_key, preview_key, source_key, result_key]) as key from media_attachments where account_id = ${accountId}
    union select file_key from archives where account_id = ${accountId}
    union select unnest(array[avatar_key, avatar_static_key, header_key, header_static_key]) from accounts where id = ${accountId}`)
  return rows.flatMap(({ key }) => key ?? [])
}

/** What others' counters owe to this account. */
async function takeBackCounts(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`
    update account_stats set followers_count = greatest(followers_count - 1, 0)
    where account_id in (select target_account_id from follows where account_id = ${accountId})`)
  await tx.db.run(sql`
    update account_stats set following_count = greatest(following_count - 1, 0)
    where account_id in (select account_id from follows where target_account_id = ${accountId})`)
  await tx.db.run(sql`
    update account_stats s set statuses_count = greatest(s.statuses_count - boosts.n, 0)
    from (select b.account_id, count(*)::int as n from statuses b join statuses o on o.id = b.reblog_of_id
      where o.account_id = ${accountId} and b.account_id <> ${accountId} group by b.account_id) boosts
    where s.account_id = boosts.account_id`)
  await tx.db.run(sql`
    update status_stats set favourites_count = greatest(favourites_count - 1, 0)
    where status_id in (select status_id from favourites where account_id = ${accountId})`)
  await tx.db.run(sql`
    update status_stats set reblogs_count = greatest(reblogs_count - 1, 0)
    where status_id in (select reblog_of_id from statuses where account_id = ${accountId} and reblog_of_id is not null)`)
  await tx.db.run(sql`
    update status_stats s set quotes_count = greatest(s.quotes_count - quotes.n, 0)
    from (select quoted_status_id, count(*)::int as n from quotes
      where account_id = ${accountId} and state = 'accepted' and quoted_status_id is not null group by quoted_status_id) quotes
    where s.status_id = quotes.quoted_status_id`)
  await takeBackVotes(tx, accountId)
  await tx.db.run(sql`
    update status_stats s set replies_count = greatest(s.replies_count - replies.n, 0)
    from (select in_reply_to_id, count(*)::int as n from statuses
      where account_id = ${accountId} and in_reply_to_id is not null and ${isPublicOrUnlisted(sql`visibility`)} group by in_reply_to_id) replies
    where s.status_id = replies.in_reply_to_id`)
}

/** Votes in polls that are still open; what is over is over. Polls of other servers are told by those. */
async function takeBackVotes(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`
    with gone as (
      delete from poll_votes v using polls p join statuses s on s.id = p.status_id
      where v.account_id = ${accountId} and p.id = v.poll_id and s.local and (p.expires_at is null or p.expires_at > now())
      returning v.poll_id, v.choice
    ), choices as (select poll_id, array_agg(choice::int) as chosen from gone group by poll_id)
    update polls p set voters_count = greatest(p.voters_count - 1, 0), tallies = (
      select array_agg(greatest(t.n - (t.place - 1 = any(choices.chosen))::int, 0) order by t.place) from unnest(p.tallies) with ordinality t (n, place))
    from choices where p.id = choices.poll_id`)
}

async function removeRows(tx: Context, accountId: string): Promise<void> {
  await leaveConversations(tx, accountId)
  await removeTraces(tx, accountId)
  await tx.db.run(sql`
    update accounts set suspended_at = now(), display_name = '', note = '', note_text = '', fields = '[]', avatar_key = null, avatar_static_key = null,
      header_key = null, header_static_key = null, avatar_description = '', header_description = '', discoverable = false, indexable = false,
      also_known_as = '{}', attribution_domains = '{}', moved_to_id = null
    where id = ${accountId}`)
  await tx.db.run(
    sql`update account_stats set statuses_count = 0, followers_count = 0, following_count = 0 where account_id = ${accountId}`,
  )
}
