import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import type { ListAccounts, Lists } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField } from '../../lib/errors.ts'
import type { ListRow } from './lists.ts'

/** `id` is the cursor. */
export type MemberRow = Pick<ListAccounts, 'id' | 'account_id'>

/** The members of a list without suspended accounts, newest first; without a page all of them. */
export async function listMembers(ctx: Context, listId: string, page: Pagination | null): Promise<MemberRow[]> {
  const members = sql`
    select la.id, la.account_id from list_accounts la join accounts a on a.id = la.account_id
    where la.list_id = ${listId} and a.suspended_at is null`
  if (!page) return ctx.db.many<MemberRow>(sql`${members} order by la.id desc`)
  const rows = await ctx.db.many<MemberRow>(
    sql`${members} and ${within(sql`la.id`, page)} ${ordered(sql`la.id`, page)}`,
  )
  return newestFirst(rows, page)
}

/**
 * Adds accounts to a list, all or none. Returns whether the list is exclusive. Throws NotFound unless its owner follows each of
 * them, has requested to follow it, or is that account; Invalid when one is a member already.
 */
export async function insertMembers(
  tx: Context,
  list: ListRow,
  accountIds: readonly string[],
): Promise<Pick<Lists, 'exclusive'>> {
  const allowed = await lockFollows(tx, list.account_id, accountIds)
  if (accountIds.some((id) => !allowed.has(id))) throw new NotFound()
  // Members have a copy of `exclusive`: lock the list so that it cannot change meanwhile.
  const { exclusive } = await lockList(tx, list.id)
  const added = await tx.db.run(sql`
    insert into list_accounts (list_id, account_id, owner_id, exclusive)
    select ${list.id}::bigint, id, ${list.account_id}::bigint, ${exclusive}::boolean
    from unnest(${accountIds}::bigint[]) with ordinality as wanted (id, position) order by position desc
    on conflict do nothing`)
  if (added < accountIds.length) throw invalidField('account', 'taken')
  return { exclusive }
}

/**
 * Which of the accounts may be in a list of this account. Locks their follows and follow requests until the transaction ends, so
 * that an unfollow cannot miss the new membership. Requests first: one that is accepted meanwhile is then seen as a follow.
 */
async function lockFollows(tx: Context, accountId: string, ids: readonly string[]): Promise<Set<string>> {
  const requested = await tx.db.many<{ id: string }>(sql`
    select target_account_id as id from follow_requests
    where account_id = ${accountId} and target_account_id = any(${ids}::bigint[]) order by target_account_id for key share`)
  const followed = await tx.db.many<{ id: string }>(sql`
    select target_account_id as id from follows
    where account_id = ${accountId} and target_account_id = any(${ids}::bigint[]) order by target_account_id for key share`)
  return new Set([accountId, ...requested.map(({ id }) => id), ...followed.map(({ id }) => id)])
}

async function lockList(tx: Context, id: string): Promise<Pick<Lists, 'exclusive'>> {
  const list = await tx.db.maybe<Pick<Lists, 'exclusive'>>(sql`select exclusive from lists where id = ${id} for share`)
  if (!list) throw new NotFound()
  return list
}

/** Removes accounts from a list and returns whether the list was exclusive for one of them. Ignores accounts that are no members. */
export async function deleteMembers(
  tx: Context,
  list: ListRow,
  accountIds: readonly string[],
): Promise<Pick<Lists, 'exclusive'>> {
  const deleted = await tx.db.many<Pick<Lists, 'exclusive'>>(sql`
    delete from list_accounts where list_id = ${list.id} and account_id = any(${accountIds}::bigint[]) returning exclusive`)
  return { exclusive: deleted.some(({ exclusive }) => exclusive) }
}

/** Removes accounts from all lists of an owner who no longer follows them. */
export async function removeFromLists(tx: Context, ownerId: string, accountIds: readonly string[]): Promise<void> {
  await tx.db.run(
    sql`delete from list_accounts where owner_id = ${ownerId} and account_id = any(${accountIds}::bigint[])`,
  )
}
