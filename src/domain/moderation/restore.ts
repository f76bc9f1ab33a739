// Undoing a severance: follows return where both accounts still exist.
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { listDomainsUnder } from '../peers/domain-policy.ts'
import { countFollows, type FollowAccounts } from '../relationships/follows.ts'
import { hasBlockBetween, hasBlockedDomain } from '../relationships/hidden.ts'
import { lockDomainBlocksOf } from '../relationships/locks.ts'
import { severanceColumns, type SeveranceRow } from './severed.ts'

/** Relationships per transaction. */
const CHUNK = 500

/** Null when it is being restored already, or too old. */
export const requestRestoration = (tx: Context, id: string): Promise<SeveranceRow | null> =>
  tx.db.maybe<SeveranceRow>(sql`
    update severances v set restore_requested_at = now()
    where v.id = ${id} and v.restore_requested_at is null and v.purged_at is null returning ${severanceColumns}`)

/** The severances with follows that did not return because an account of the target was still suspended. */
export async function listDeferred(
  ctx: Context,
  target: { domain: string } | { accountId: string },
): Promise<string[]> {
  const isOfTarget =
    'domain' in target
      ? sql`r.other_account_id in (select id from accounts where domain = any(${await listDomainsUnder(ctx, target.domain)}::text[]))`
      : sql`${target.accountId} in (r.local_account_id, r.other_account_id)`
  const rows = await ctx.db.many<{ severance_id: string }>(
    sql`select distinct severance_id from severed_relationships r where r.deferred and ${isOfTarget} order by severance_id`,
  )
  return rows.map((row) => row.severance_id)
}

export async function finishRestoration(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update severances set restored_at = coalesce(restored_at, now()) where id = ${id}`)
}

/**
 * How a relationship returns. A follow of a remote account is sent again; it becomes a request when the other server was notified
 * of its end. A remote follower does not return when its server was notified: that server no longer counts the follow. `local`:
 * by a local account, also by the one that was suspended.
 */
export type RestoredFollow = FollowAccounts & {
  id: string
  table: 'follows' | 'follow_requests'
  outgoing: boolean
  local: boolean
}

type Row = {
  id: string
  local_account_id: string
  other_account_id: string
  direction: 'following' | 'follower'
  pending: boolean
  other_domain: string | null
  possible: boolean
  /** An account is suspended. */
  suspended: boolean
}

/** `after`: the last relationship that was handled. Null when none are left. */
export async function restoreNext(
  tx: Context,
  severance: SeveranceRow,
  after: string,
): Promise<{ last: string; restored: RestoredFollow[] } | null> {
  const rows = await nextRows(tx, severance, after)
  const last = rows.at(-1)?.id
  if (last === undefined) return null
  const possible = rows.filter((row) => row.possible && !(severance.announced && neverReturns(row)))
  await defer(
    tx,
    rows,
    possible.filter((row) => row.suspended),
  )
  const wanted = possible.filter((row) => !row.suspended)
  const isRequest = (row: Row): boolean =>
    row.pending || (severance.announced && row.direction === 'following' && row.other_domain !== null)
  const follows = await insertAgain(
    tx,
    'follows',
    wanted.filter((row) => !isRequest(row)),
  )
  const requests = await insertAgain(tx, 'follow_requests', wanted.filter(isRequest))
  await countFollows(tx, follows)
  await tx.db.run(sql`
    update severances set restored_count = restored_count + ${follows.length + requests.length} where id = ${severance.id}`)
  return { last, restored: [...follows, ...requests] }
}

/** Of `rows`, `deferred` are tried again when the account that is still suspended is restored. */
async function defer(tx: Context, rows: readonly Row[], deferred: readonly Row[]): Promise<void> {
  await tx.db.run(sql`
    update severed_relationships set deferred = not deferred
    where id = any(${rows.map(({ id }) => id)}::bigint[]) and deferred <> (id = any(${deferred.map(({ id }) => id)}::bigint[]))`)
}

const neverReturns = (row: Row): boolean => row.direction === 'follower' && row.other_domain !== null

async function nextRows(tx: Context, severance: SeveranceRow, after: string): Promise<Row[]> {
  const found = await tx.db.many<Pick<Row, 'id' | 'local_account_id' | 'other_account_id'>>(sql`
    select id, local_account_id, other_account_id from severed_relationships
    where severance_id = ${severance.id} and id > ${after} and restored_at is null and (deferred or ${severance.restored_at === null})
    order by id limit ${CHUNK}`)
  await lockDomainBlocksOf(tx, [...new Set(found.map((row) => row.local_account_id))])
  await lockSuspensions(
    tx,
    found.flatMap((row) => [row.local_account_id, row.other_account_id]),
  )
  return tx.db.many<Row>(sql`
    select r.id, r.local_account_id, r.other_account_id, r.direction, r.pending, o.domain as other_domain,
      l.suspended_at is not null or o.suspended_at is not null as suspended,
      l.moved_to_id is null and not ${hasBlockBetween(sql`l.id`, sql`o.id`)} and not ${hasBlockedDomain(sql`l.id`, sql`o.domain`)}
        and not exists (select from follow_requests q where ${isSameFollow(sql`q`)}) and not exists (select from follows q where ${isSameFollow(sql`q`)}) as possible
    from severed_relationships r join accounts l on l.id = r.local_account_id join accounts o on o.id = r.other_account_id
    where r.id = any(${found.map(({ id }) => id)}::bigint[]) order by r.id`)
}

/** No account is suspended or restored until the transaction ends. */
async function lockSuspensions(tx: Context, accountIds: readonly string[]): Promise<void> {
  await tx.db.run(sql`select from accounts where id = any(${accountIds}::bigint[]) order by id for share`)
}

const follower = sql`case when r.direction = 'following' then r.local_account_id else r.other_account_id end`
const followed = sql`case when r.direction = 'following' then r.other_account_id else r.local_account_id end`
const isSameFollow = (q: Sql): Sql => sql`${q}.account_id = ${follower} and ${q}.target_account_id = ${followed}`

async function insertAgain(
  tx: Context,
  table: RestoredFollow['table'],
  rows: readonly Row[],
): Promise<RestoredFollow[]> {
  if (rows.length === 0) return []
  const target = table === 'follows' ? sql`follows` : sql`follow_requests`
  const ids = rows.map(({ id }) => id)
  return tx.db.many<RestoredFollow>(sql`
    with chosen as (
      select r.id, ${follower} as account_id, ${followed} as target_account_id, r.show_reblogs, r.notify, r.languages, r.uri, r.direction, r.list_ids, r.endorsed
      from severed_relationships r where r.id = any(${ids}::bigint[])
    ), made as (
      insert into ${target} (account_id, target_account_id, show_reblogs, notify, languages, uri)
      select account_id, target_account_id, show_reblogs, notify, languages, case when direction = 'follower' then uri end from chosen order by id
      on conflict do nothing returning id, account_id, target_account_id
    ), done as (
      update severed_relationships r set restored_at = now() from chosen c join made m using (account_id, target_account_id) where r.id = c.id
    ), listed as (
      insert into list_accounts (list_id, account_id, owner_id, exclusive)
      select l.id, c.target_account_id, l.account_id, l.exclusive from chosen c join made using (account_id, target_account_id) join lists l on l.id = any(c.list_ids)
      where l.account_id = c.account_id on conflict do nothing
    ), endorsed as (
      insert into endorsements (account_id, target_account_id)
      select c.account_id, c.target_account_id from chosen c join made using (account_id, target_account_id) where c.endorsed and ${table === 'follows'}
      on conflict do nothing
    )
    select m.id, m.account_id, m.target_account_id, ${table} as "table", c.direction = 'following' as outgoing, a.domain is null as local
    from made m join chosen c using (account_id, target_account_id) join accounts a on a.id = m.account_id order by m.id`)
}
