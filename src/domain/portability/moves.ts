import type { Context } from '../../context.ts'
import type { AccountMoves, Accounts } from '../../db/schema.ts'
import { count, sql } from '../../db/sql.ts'
import { accountUri, fullHandle } from '../server/addresses.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

export const COOLDOWN_DAYS = 30

/** `freeAt`: when the account may move again; null for now. */
export type MoveState = { movedTo: { acct: string; url: string } | null; freeAt: Date | null }

type Handle = Pick<Accounts, 'username' | 'domain'>

export async function moveStateOf(ctx: Context, accountId: string): Promise<MoveState> {
  const row = await ctx.db.one<{
    username: string | null
    domain: string | null
    uri: string | null
    free_at: Date | null
  }>(sql`
    select t.username, t.domain, t.uri, (
      select max(created_at) + ${COOLDOWN_DAYS} * interval '1 day' from account_moves
      where account_id = ${accountId} and created_at > now() - ${COOLDOWN_DAYS} * interval '1 day') as free_at
    from accounts a left join accounts t on t.id = a.moved_to_id where a.id = ${accountId}`)
  const movedTo =
    row.username === null
      ? null
      : { acct: fullHandle(ctx, { ...row, username: row.username }), url: row.uri ?? accountUri(ctx, row.username) }
  return { movedTo, freeAt: row.free_at }
}

/** Inboxes that learn when a move is undone. */
const MAX_INBOXES = 20_000

/** Needs a transaction. Throws Invalid when the account has moved already, or within the cooldown. */
export async function insertMove(tx: Context, accountId: string, target: Handle & { id: string }): Promise<string> {
  const before = await redirectTo(tx, accountId, target.id)
  const { freeAt } = await moveStateOf(tx, accountId)
  if (freeAt) throw new Invalid(message('moved_lately', { count: COOLDOWN_DAYS }))
  const { id } = await tx.db.one<Pick<AccountMoves, 'id'>>(sql`
    insert into account_moves (account_id, target_account_id, acct, followers_count, inboxes)
    values (${accountId}, ${target.id}, ${fullHandle(tx, target)}, ${before.followers_count}, array(
      select distinct coalesce(a.shared_inbox_url, a.inbox_url) from follows f join accounts a on a.id = f.account_id
      where f.target_account_id = ${accountId} and a.domain is not null and a.inbox_url is not null limit ${count(MAX_INBOXES)}))
    returning id`)
  return id
}

/** Needs a transaction. Throws Invalid when the account points to another one already. */
export async function redirectTo(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<{ followers_count: number }> {
  const before = await tx.db.one<Pick<Accounts, 'moved_to_id'> & { followers_count: number }>(sql`
    select a.moved_to_id, coalesce(st.followers_count, 0) as followers_count
    from accounts a left join account_stats st on st.account_id = a.id where a.id = ${accountId} for no key update of a`)
  if (before.moved_to_id !== null) throw new Invalid(message('moved_already'))
  await setMovedTo(tx, accountId, targetAccountId)
  return before
}

/** To the account that this one points to now; null when it points to none, or only redirects. */
export const findCurrentMove = (
  ctx: Context,
  accountId: string,
): Promise<Pick<AccountMoves, 'id' | 'target_account_id'> | null> =>
  ctx.db.maybe(sql`
    select m.id, m.target_account_id from account_moves m join accounts a on a.id = m.account_id and a.moved_to_id = m.target_account_id
    where m.account_id = ${accountId} order by m.id desc limit 1`)

/** `inboxes`: of the followers at the time of the move. */
export const findMove = (
  ctx: Context,
  moveId: string,
): Promise<Pick<AccountMoves, 'target_account_id' | 'inboxes'> | null> =>
  ctx.db.maybe(sql`select target_account_id, inboxes from account_moves where id = ${moveId}`)

/** Null undoes a move. False when nothing changes. */
export async function setMovedTo(tx: Context, accountId: string, targetAccountId: string | null): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update accounts set moved_to_id = ${targetAccountId}::bigint
    where id = ${accountId} and moved_to_id is distinct from ${targetAccountId}::bigint`)
  return changed > 0
}

const MAX_ALIASES = 10

/** `acct` is null when the account is not stored here. */
export type Alias = { uri: string; acct: string | null }

/** In the order in which they were added. */
export async function listAliases(ctx: Context, accountId: string): Promise<Alias[]> {
  const rows = await ctx.db.many<{ uri: string; username: string | null; domain: string | null }>(sql`
    select alias.uri, a.username, a.domain
    from accounts me cross join unnest(me.also_known_as) with ordinality as alias (uri, position)
    left join accounts a on a.uri = alias.uri or (a.domain is null and ${ctx.config.baseUrl} || '/users/' || a.username = alias.uri)
    where me.id = ${accountId} order by alias.position`)
  return rows.map(({ uri, username, domain }) => ({
    uri,
    acct: username === null ? null : fullHandle(ctx, { username, domain }),
  }))
}

/** False when the account has the alias already. Throws Invalid when it has too many. */
export async function insertAlias(tx: Context, accountId: string, uri: string): Promise<boolean> {
  const account = await tx.db.maybe<Pick<Accounts, 'also_known_as'>>(
    sql`select also_known_as from accounts where id = ${accountId} for no key update`,
  )
  const known = account?.also_known_as ?? []
  if (known.includes(uri)) return false
  if (known.length >= MAX_ALIASES) throw new Invalid(message('alias_limit', { count: MAX_ALIASES }))
  const changed = await tx.db.run(
    sql`update accounts set also_known_as = also_known_as || ${[uri]}::text[] where id = ${accountId}`,
  )
  return changed > 0
}

export async function deleteAlias(tx: Context, accountId: string, uri: string): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update accounts set also_known_as = array_remove(also_known_as, ${uri}) where id = ${accountId} and ${uri} = any(also_known_as)`)
  return changed > 0
}
