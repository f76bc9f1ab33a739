import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, invalidField } from '../../lib/errors.ts'
import { rebuildHomeOf, type ListRow } from './lists.ts'

/** Somebody in a list; `id` is the cursor. */
export type MemberRow = { id: string; account_id: string }

/** Who is in a list, the newest member first; without a page all of them. Suspended accounts are left out. */
export async function listMembers(ctx: Context, listId: string, page: Page | null): Promise<MemberRow[]> {
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
 * Puts accounts into a list, all or none. Throws NotFound unless its owner follows each of them, has asked to, or is meant;
 * Invalid when one is in it already.
 */
export async function addMembers(ctx: Context, list: ListRow, accountIds: readonly string[]): Promise<void> {
  const ids = [...new Set(accountIds)]
  if (ids.length === 0) return
  await ctx.transaction(async (tx) => {
    const held = await holdTies(tx, list.account_id, ids)
    if (ids.some((id) => !held.has(id))) throw new NotFound()
    // The list is held as well: whether it is exclusive is noted with its members.
    const { exclusive } = await holdList(tx, list.id)
    const added = await tx.db.run(sql`
      insert into list_accounts (list_id, account_id, owner_id, exclusive)
      select ${list.id}::bigint, id, ${list.account_id}::bigint, ${exclusive}::boolean
      from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) order by position desc
      on conflict do nothing`)
    if (added < ids.length) throw invalidField('account', 'taken')
    if (exclusive) await rebuildHomeOf(tx, list.account_id)
  })
}

/**
 * Which of the accounts may be in a list of this one. Their follows and requests are held until the end of the transaction,
 * lest they end without the membership ending too. Requests first: what is accepted meanwhile is then seen as a follow.
 */
async function holdTies(tx: Context, accountId: string, ids: readonly string[]): Promise<Set<string>> {
  const requested = await tx.db.many<{ id: string }>(sql`
    select target_account_id as id from follow_requests
    where account_id = ${accountId} and target_account_id = any(${ids}::bigint[]) order by target_account_id for key share`)
  const followed = await tx.db.many<{ id: string }>(sql`
    select target_account_id as id from follows
    where account_id = ${accountId} and target_account_id = any(${ids}::bigint[]) order by target_account_id for key share`)
  return new Set([accountId, ...requested.map(({ id }) => id), ...followed.map(({ id }) => id)])
}

async function holdList(tx: Context, id: string): Promise<{ exclusive: boolean }> {
  const list = await tx.db.maybe<{ exclusive: boolean }>(sql`select exclusive from lists where id = ${id} for share`)
  if (!list) throw new NotFound()
  return list
}

/** Takes accounts out of a list; those that are not in it do not matter. */
export async function removeMembers(ctx: Context, list: ListRow, accountIds: readonly string[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const gone = await tx.db.many<{ exclusive: boolean }>(sql`
      delete from list_accounts where list_id = ${list.id} and account_id = any(${accountIds}::bigint[]) returning exclusive`)
    if (gone.some(({ exclusive }) => exclusive)) await rebuildHomeOf(tx, list.account_id)
  })
}

/** Takes accounts out of all lists of an owner who follows them no longer. */
export async function removeFromLists(tx: Context, ownerId: string, accountIds: readonly string[]): Promise<void> {
  await tx.db.run(
    sql`delete from list_accounts where owner_id = ${ownerId} and account_id = any(${accountIds}::bigint[])`,
  )
}
