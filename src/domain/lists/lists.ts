import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { ListAccounts, Lists } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { preventDeletion } from '../accounts/find.ts'
import { invalidField, invalidRequest, NotFound, requiredText } from '../../lib/errors.ts'
import { lockAccount } from '../users/locks.ts'

export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const satisfies readonly Lists['replies_policy'][]
/** Which replies of its members a list shows: those to accounts that its owner follows, those to its members, or none. */
type ListRepliesPolicy = (typeof REPLIES_POLICIES)[number]

/** `exclusive`: the owner's home timeline leaves out what members of the list post. */
export type ListRow = Pick<Lists, 'id' | 'account_id' | 'title' | 'exclusive' | 'replies_policy'>

export type ListChanges = { title?: string; repliesPolicy?: ListRepliesPolicy; exclusive?: boolean }

export const MAX_LISTS = 50
const TITLE_LIMIT = 256

const COLUMNS: Sql = sql`l.id, l.account_id, l.title, l.replies_policy, l.exclusive`

export const listLists = (ctx: Context, accountId: string): Promise<ListRow[]> =>
  ctx.db.many<ListRow>(sql`select ${COLUMNS} from lists l where l.account_id = ${accountId} order by l.id`)

export const listListsWith = (ctx: Context, accountId: string, memberId: string): Promise<ListRow[]> =>
  ctx.db.many<ListRow>(sql`
    select ${COLUMNS} from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = ${memberId} and la.owner_id = ${accountId} order by l.id`)

/** Throws NotFound, also for lists of other accounts. */
export async function getOwnList(ctx: Context, accountId: string, id: string): Promise<ListRow> {
  const list = await ctx.db.maybe<ListRow>(
    sql`select ${COLUMNS} from lists l where l.id = ${id} and l.account_id = ${accountId}`,
  )
  if (!list) throw new NotFound()
  return list
}

export const findListByTitle = (ctx: Context, accountId: string, title: string): Promise<ListRow | null> =>
  ctx.db.maybe<ListRow>(sql`
    select ${COLUMNS} from lists l where l.account_id = ${accountId} and l.title = ${title} order by l.id limit 1`)

/** Throws Invalid without a title, and above the limit. */
export async function insertList(ctx: Context, accountId: string, values: ListChanges): Promise<ListRow> {
  const title = checkTitle(values.title ?? '')
  return ctx.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const list = await tx.db.maybe<ListRow>(sql`
      insert into lists as l (account_id, title, replies_policy, exclusive)
      select ${accountId}::bigint, ${title}, ${values.repliesPolicy ?? 'list'}, ${values.exclusive ?? false}::boolean
      where (select count(*) from lists where account_id = ${accountId}) < ${MAX_LISTS}
      returning ${COLUMNS}`)
    if (!list) throw invalidRequest('list_limit')
    return list
  })
}

/**
 * Absent members stay as they are. `homeChanged`: whether the owner's home feed must be rebuilt. Throws Invalid for an empty
 * title, NotFound.
 */
export async function updateListRow(
  tx: Context,
  accountId: string,
  id: string,
  { title, repliesPolicy, exclusive }: ListChanges,
): Promise<{ list: ListRow; homeChanged: boolean }> {
  const name = title === undefined ? null : checkTitle(title)
  const before = await tx.db.maybe<Pick<Lists, 'exclusive'>>(
    sql`select exclusive from lists where id = ${id} and account_id = ${accountId} for no key update`,
  )
  if (!before) throw new NotFound()
  const list = await tx.db.one<ListRow>(sql`
    update lists l set title = coalesce(${name}, l.title), replies_policy = coalesce(${repliesPolicy ?? null}, l.replies_policy),
      exclusive = coalesce(${exclusive ?? null}::boolean, l.exclusive)
    where l.id = ${id} returning ${COLUMNS}`)
  if (list.exclusive === before.exclusive) return { list, homeChanged: false }
  const members = await tx.db.run(
    sql`update list_accounts set exclusive = ${list.exclusive}::boolean where list_id = ${id}`,
  )
  return { list, homeChanged: members > 0 }
}

/** Members stay followed. Throws NotFound. */
export async function deleteListRow(tx: Context, accountId: string, id: string): Promise<Pick<Lists, 'exclusive'>> {
  const deleted = await tx.db.maybe<Pick<Lists, 'exclusive'>>(
    sql`delete from lists where id = ${id} and account_id = ${accountId} returning exclusive`,
  )
  if (!deleted) throw new NotFound()
  return deleted
}

const checkTitle = (text: string): string => requiredText('title', text, TITLE_LIMIT)

/** `id` is the cursor. */
type MemberRow = Pick<ListAccounts, 'id' | 'account_id'>

/** Without suspended accounts, newest first. Without a page all of them: no more than their owner may follow. */
export async function listMembers(ctx: Context, listId: string, page: Pagination | null): Promise<MemberRow[]> {
  const members = sql`
    select la.id, la.account_id from list_accounts la join accounts a on a.id = la.account_id
    where la.list_id = ${listId} and a.suspended_at is null`
  if (!page) return ctx.db.many<MemberRow>(sql`${members} order by la.id desc`)
  const rows = await ctx.db.many<MemberRow>(sql`${members} and ${onPage(sql`la.id`, page)}`)
  return newestFirst(rows, page)
}

export const isListMember = async (ctx: Context, listId: string, accountId: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from list_accounts where list_id = ${listId} and account_id = ${accountId}`)) !== null

/**
 * All or none. Throws NotFound unless the owner follows each account, has requested to follow it, or is that account; Invalid
 * when one is a member already.
 */
export async function insertMembers(
  tx: Context,
  list: ListRow,
  accountIds: readonly string[],
): Promise<Pick<Lists, 'exclusive'>> {
  await preventDeletion(tx, accountIds)
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
 * The accounts that may be in a list. Locks their follows and follow requests until the transaction ends, so that an unfollow
 * cannot miss the new membership. Requests first: one that is accepted meanwhile is then seen as a follow.
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

/** Ignores accounts that are not members. `exclusive`: whether the list was exclusive for one of the removed accounts. */
export async function deleteMembers(
  tx: Context,
  list: ListRow,
  accountIds: readonly string[],
): Promise<Pick<Lists, 'exclusive'>> {
  const deleted = await tx.db.many<Pick<Lists, 'exclusive'>>(sql`
    delete from list_accounts where list_id = ${list.id} and account_id = any(${accountIds}::bigint[]) returning exclusive`)
  return { exclusive: deleted.some(({ exclusive }) => exclusive) }
}

export async function removeFromLists(tx: Context, ownerId: string, accountIds: readonly string[]): Promise<void> {
  await tx.db.run(
    sql`delete from list_accounts where owner_id = ${ownerId} and account_id = any(${accountIds}::bigint[])`,
  )
}
