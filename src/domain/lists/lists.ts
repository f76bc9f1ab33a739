import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'

export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const
/** Which replies a list shows: to everybody its owner follows, to its members, or none. Those to oneself are always shown. */
export type RepliesPolicy = (typeof REPLIES_POLICIES)[number]

export type ListRow = {
  id: string
  /** The owner. */
  account_id: string
  title: string
  replies_policy: RepliesPolicy
  /** What its members post does not appear in the owner's home timeline. */
  exclusive: boolean
}

export type ListChanges = { title?: string; repliesPolicy?: RepliesPolicy; exclusive?: boolean }

const MAX_LISTS = 50
const TITLE_LIMIT = 256

const COLUMNS: Sql = sql`l.id, l.account_id, l.title, l.replies_policy, l.exclusive`

/** All lists of an account, the oldest first. */
export const listLists = (ctx: Context, accountId: string): Promise<ListRow[]> =>
  ctx.db.many<ListRow>(sql`select ${COLUMNS} from lists l where l.account_id = ${accountId} order by l.id`)

/** The lists of an account in which somebody is. */
export const listListsWith = (ctx: Context, accountId: string, memberId: string): Promise<ListRow[]> =>
  ctx.db.many<ListRow>(sql`
    select ${COLUMNS} from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = ${memberId} and la.owner_id = ${accountId} order by l.id`)

/** A list of this account. Throws NotFound, also for the lists of others. */
export async function getList(ctx: Context, accountId: string, id: string): Promise<ListRow> {
  const list = await ctx.db.maybe<ListRow>(
    sql`select ${COLUMNS} from lists l where l.id = ${id} and l.account_id = ${accountId}`,
  )
  if (!list) throw new NotFound()
  return list
}

/** Makes a list. Throws Invalid without a title, and when it would be one too many. */
export async function createList(ctx: Context, accountId: string, wanted: ListChanges): Promise<ListRow> {
  const title = checkTitle(wanted.title ?? '')
  return ctx.transaction(async (tx) => {
    // One at a time per person, or two requests at once could both find the last place free.
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
    const made = await tx.db.maybe<ListRow>(sql`
      insert into lists as l (account_id, title, replies_policy, exclusive)
      select ${accountId}::bigint, ${title}, ${wanted.repliesPolicy ?? 'list'}, ${wanted.exclusive ?? false}::boolean
      where (select count(*) from lists where account_id = ${accountId}) < ${MAX_LISTS}
      returning ${COLUMNS}`)
    if (!made) throw invalidRequest('list_limit')
    return made
  })
}

/** Changes a list; what is not given stays as it is. Throws Invalid for an empty title, NotFound. */
export async function updateList(
  ctx: Context,
  accountId: string,
  id: string,
  { title, repliesPolicy, exclusive }: ListChanges,
): Promise<ListRow> {
  const name = title === undefined ? null : checkTitle(title)
  return ctx.transaction(async (tx) => {
    const before = await tx.db.maybe<{ exclusive: boolean }>(
      sql`select exclusive from lists where id = ${id} and account_id = ${accountId} for no key update`,
    )
    if (!before) throw new NotFound()
    const after = await tx.db.one<ListRow>(sql`
      update lists l set title = coalesce(${name}, l.title), replies_policy = coalesce(${repliesPolicy ?? null}, l.replies_policy),
        exclusive = coalesce(${exclusive ?? null}::boolean, l.exclusive)
      where l.id = ${id} returning ${COLUMNS}`)
    if (after.exclusive === before.exclusive) return after
    const moved = await tx.db.run(
      sql`update list_accounts set exclusive = ${after.exclusive}::boolean where list_id = ${id}`,
    )
    if (moved > 0) await rebuildHomeOf(tx, accountId)
    return after
  })
}

/** Deletes a list; who was in it is followed as before. Throws NotFound. */
export async function deleteList(ctx: Context, accountId: string, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const gone = await tx.db.maybe<{ exclusive: boolean }>(
      sql`delete from lists where id = ${id} and account_id = ${accountId} returning exclusive`,
    )
    if (!gone) throw new NotFound()
    if (gone.exclusive) await rebuildHomeOf(tx, accountId)
  })
}

/**
 * Puts back at home what an exclusive list kept away, or takes it out. What must not be seen any more is hidden at once, when
 * the timeline is read; so this may follow.
 */
export const rebuildHomeOf = (tx: Context, accountId: string): Promise<void> =>
  tx.enqueue('fanout.rebuild', { accountId })

function checkTitle(text: string): string {
  const title = text.trim()
  if (title === '') throw invalidField('title', 'blank')
  if (Array.from(title).length > TITLE_LIMIT) throw invalidField('title', 'too_long', { count: TITLE_LIMIT })
  return title
}
