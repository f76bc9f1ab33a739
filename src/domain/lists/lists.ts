import type { Context } from '../../context.ts'
import type { Lists } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'

export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const
/** Which replies of its members a list shows: those to accounts that its owner follows, those to its members, or none. */
type ListRepliesPolicy = (typeof REPLIES_POLICIES)[number]

/** `exclusive`: the owner's home timeline leaves out what members of the list post. */
export type ListRow = Pick<Lists, 'id' | 'account_id' | 'title' | 'exclusive'> & { replies_policy: ListRepliesPolicy }

export type ListChanges = { title?: string; repliesPolicy?: ListRepliesPolicy; exclusive?: boolean }

const MAX_LISTS = 50
const TITLE_LIMIT = 256

const COLUMNS: Sql = sql`l.id, l.account_id, l.title, l.replies_policy, l.exclusive`

/** All lists of an account, oldest first. */
export const listLists = (ctx: Context, accountId: string): Promise<ListRow[]> =>
  ctx.db.many<ListRow>(sql`select ${COLUMNS} from lists l where l.account_id = ${accountId} order by l.id`)

/** The lists of an account that have `memberId` as a member. */
export const listListsWith = (ctx: Context, accountId: string, memberId: string): Promise<ListRow[]> =>
  ctx.db.many<ListRow>(sql`
    select ${COLUMNS} from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = ${memberId} and la.owner_id = ${accountId} order by l.id`)

/** A list of this account. Throws NotFound, also for lists of other accounts. */
export async function getOwnList(ctx: Context, accountId: string, id: string): Promise<ListRow> {
  const list = await ctx.db.maybe<ListRow>(
    sql`select ${COLUMNS} from lists l where l.id = ${id} and l.account_id = ${accountId}`,
  )
  if (!list) throw new NotFound()
  return list
}

/** Throws Invalid without a title, and above the limit. */
export async function insertList(ctx: Context, accountId: string, values: ListChanges): Promise<ListRow> {
  const title = checkTitle(values.title ?? '')
  return ctx.transaction(async (tx) => {
    // One list per account at a time: two concurrent requests must not both pass the limit.
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
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
 * Changes a list; absent members stay as they are. `homeChanged`: whether the owner's home feed must be rebuilt. Throws Invalid
 * for an empty title, NotFound.
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

/** Deletes a list and returns whether it was exclusive. Its members stay followed. Throws NotFound. */
export async function deleteListRow(tx: Context, accountId: string, id: string): Promise<Pick<Lists, 'exclusive'>> {
  const deleted = await tx.db.maybe<Pick<Lists, 'exclusive'>>(
    sql`delete from lists where id = ${id} and account_id = ${accountId} returning exclusive`,
  )
  if (!deleted) throw new NotFound()
  return deleted
}

function checkTitle(text: string): string {
  const title = text.trim()
  if (title === '') throw invalidField('title', 'blank')
  if (Array.from(title).length > TITLE_LIMIT) throw invalidField('title', 'too_long', { count: TITLE_LIMIT })
  return title
}
