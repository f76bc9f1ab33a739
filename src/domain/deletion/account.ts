import type { Context } from '../../context.ts'
import type { Users } from '../../db/schema.ts'
import { foreignKeysTo, sql } from '../../db/sql.ts'
import { blankAssignments } from '../accounts/profile-attributes.ts'
import { deleteFromConversations, type ChangedConversation } from '../conversations/conversations.ts'
import { fileKeysIn } from '../media/stored-files.ts'
import { undoCounts } from '../statuses/delete.ts'

/** Acts under way finish first, and later ones find the account deleted. Returns its user; null for a remote account. */
export async function lockForDeletion(tx: Context, accountId: string): Promise<Pick<Users, 'id'> | null> {
  await tx.db.run(sql`select from accounts where id = ${accountId} for update`)
  return tx.db.maybe<Pick<Users, 'id'>>(sql`select id from users where account_id = ${accountId}`)
}

/** Whether the account is still deleted. */
export const lockDeleted = async (tx: Context, accountId: string): Promise<boolean> =>
  (await tx.db.maybe(sql`select from accounts where id = ${accountId} and purged_at is not null for update`)) !== null

/** Keys of files to delete, and conversations of other accounts that show an earlier status now. */
export type ErasedAccount = { fileKeys: string[]; conversations: ChangedConversation[] }

/**
 * For local accounts, and for remote ones that a moderator has suspended. The account's own row stays, suspended and blank: it
 * reserves the username, answers 410 and signs the Delete activity. With `keepRecords`, reports about the account, its warnings
 * and notes about it stay too. May run twice.
 */
export async function eraseAccount(
  tx: Context,
  accountId: string,
  { keepRecords = false }: { keepRecords?: boolean } = {},
): Promise<ErasedAccount> {
  const erased = await beginErasure(tx, accountId)
  await deleteReferences(tx, accountId, keepRecords)
  await tx.db.run(sql`
    update accounts set suspended_at = coalesce(suspended_at, now()), purged_at = coalesce(purged_at, now()), purge_at = null, also_known_as = '{}',
      moved_to_id = null, ${blankAssignments}
    where id = ${accountId}`)
  await tx.db.run(
    sql`update account_stats set statuses_count = 0, followers_count = 0, following_count = 0 where account_id = ${accountId}`,
  )
  return erased
}

/** Does nothing for a local or unknown account. */
export async function eraseRemoteAccount(tx: Context, accountId: string): Promise<ErasedAccount> {
  const account = await tx.db.maybe(
    sql`select id from accounts where id = ${accountId} and domain is not null for update`,
  )
  if (!account) return { fileKeys: [], conversations: [] }
  const erased = await beginErasure(tx, accountId)
  await tx.db.run(sql`delete from accounts where id = ${accountId}`)
  return erased
}

/** Before the rows of the account are deleted, by which these are found. */
async function beginErasure(tx: Context, accountId: string): Promise<ErasedAccount> {
  const fileKeys = await fileKeysOf(tx, accountId)
  await lockCounted(tx, accountId)
  await subtractCounts(tx, accountId)
  await invalidateMentioningStatuses(tx, accountId)
  return { fileKeys, conversations: await deleteFromConversations(tx, { authorId: accountId }) }
}

/** Boosts under way finish first, and are counted. What another transaction is undoing is gone, and not subtracted twice. */
async function lockCounted(tx: Context, accountId: string): Promise<void> {
  for (const rows of [
    sql`statuses where account_id = ${accountId}`,
    sql`statuses where reblog_of_id in (select id from statuses where account_id = ${accountId})`,
    sql`follows where account_id = ${accountId} or target_account_id = ${accountId}`,
    sql`favourites where account_id = ${accountId}`,
  ])
    await tx.db.run(sql`select count(*) from (select from ${rows} order by id for update) locked`)
}

/** No trigger logs that the mentions are deleted with the account, so caches would go on showing them. */
const invalidateMentioningStatuses = (tx: Context, accountId: string): Promise<number> =>
  tx.db.run(sql`
    insert into changes (kind, ids)
    select 'status', case when count(*) <= 1000 then array_agg(status_id) end from mentions where account_id = ${accountId} having count(*) > 0`)

async function fileKeysOf(tx: Context, accountId: string): Promise<string[]> {
  const rows = await tx.db.many<{ key: string }>(sql`
    select unnest(${fileKeysIn('media_attachments')}) as key from media_attachments where account_id = ${accountId}
    union select file_key from archives where account_id = ${accountId}
    union select unnest(${fileKeysIn('accounts')}) from accounts where id = ${accountId}`)
  return rows.flatMap(({ key }) => key ?? [])
}

async function subtractCounts(tx: Context, accountId: string): Promise<void> {
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
    where status_id in (select status_id from favourites where account_id = ${accountId} and approval is null)`)
  await withdrawVotes(tx, accountId)
  await undoCounts(tx, sql`account_id = ${accountId}`)
}

/** Withdraws votes in open local polls. Closed polls keep theirs, and remote polls are counted by their servers. */
async function withdrawVotes(tx: Context, accountId: string): Promise<void> {
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

/** Tables whose rows stay with the bare row of a deleted account: the Delete activity needs its keys and its outbox row. */
export const RETAINED: ReadonlySet<string> = new Set(['account_keys', 'account_stats', 'outbox_activities'])

/** References that moderators must be able to look up after the data of a suspended account is deleted. */
const RECORDS: ReadonlySet<string> = new Set([
  'reports.target_account_id',
  'account_warnings.target_account_id',
  'account_moderation_notes.target_account_id',
  'appeals.account_id',
  'account_purges.account_id',
])

/** Tables that name accounts without a foreign key, so that PostgreSQL's catalog does not tell them. */
export const UNREFERENCED = ['home_feed', 'home_feeds', 'link_uses', 'tag_uses'] as const

type Reference = { table: string; column: string; rule: string }

/**
 * Does to every row that refers to an account what deleting the account's row would do: deletes it, or sets the reference to
 * null. The foreign keys come from PostgreSQL's catalog, so that new tables are included.
 */
async function deleteReferences(tx: Context, accountId: string, keepRecords: boolean): Promise<void> {
  const references = await tx.db.many<Reference>(sql`
    select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column", c.confdeltype as rule
    from ${foreignKeysTo('accounts')} order by c.conrelid::regclass::text = 'statuses' desc, 1, 2`)
  for (const { table, column, rule } of references) {
    if (RETAINED.has(table) || (keepRecords && RECORDS.has(`${table}.${column}`))) continue
    const statement =
      rule === 'c'
        ? `delete from ${table} where ${column} = $1`
        : `update ${table} set ${column} = null where ${column} = $1`
    await tx.db.raw(statement, [accountId])
  }
  for (const table of UNREFERENCED) await tx.db.raw(`delete from ${table} where account_id = $1`, [accountId])
}
