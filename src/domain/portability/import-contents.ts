// Compares the rows of an import with the lists and bookmarks of its owner.
import type { Context } from '../../context.ts'
import type { Lists } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { ListRow } from '../lists/lists.ts'
import { statusUri } from '../server/addresses.ts'
import type { RunningImport } from './imports.ts'

type Import = Pick<RunningImport, 'id' | 'account_id'>

/** The titles in an import for which its owner has no list, in the order of the file. */
export async function missingListTitles(ctx: Context, { id, account_id: accountId }: Import): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Lists, 'title'>>(sql`
    select trim(data ->> 'list') as title from import_rows r
    where import_id = ${id} and data ? 'list' and not exists (select from lists where account_id = ${accountId} and title = trim(data ->> 'list'))
    group by 1 order by min(r.id)`)
  return rows.map(({ title }) => title)
}

/** All titles of lists in an import. */
export async function importedListTitles(ctx: Context, { id }: Import): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.many<Pick<Lists, 'title'>>(
    sql`select distinct trim(data ->> 'list') as title from import_rows where import_id = ${id} and data ? 'list'`,
  )
  return new Set(rows.map(({ title }) => title))
}

/** The members of a list that the import does not name for it. */
export async function membersMissingFrom(
  ctx: Context,
  { id }: Import,
  list: Pick<Lists, 'id' | 'title'>,
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select la.account_id as id from list_accounts la join accounts a on a.id = la.account_id
    where la.list_id = ${list.id} and lower(a.username || '@' || coalesce(a.domain, ${ctx.config.localDomain})) not in (
      select data ->> 'key' from import_rows where import_id = ${id} and trim(data ->> 'list') = ${list.title})`)
  return rows.map((row) => row.id)
}

/** The bookmarked statuses that the import names neither by id nor by URL. */
export async function bookmarksMissingFrom(ctx: Context, { id, account_id: accountId }: Import): Promise<string[]> {
  const bookmarks = await ctx.db.many<{ id: string; uri: string | null; url: string | null; username: string }>(sql`
    select s.id, s.uri, s.url, a.username from bookmarks b join statuses s on s.id = b.status_id join accounts a on a.id = s.account_id
    where b.account_id = ${accountId}`)
  const imported = await ctx.db.many<{ key: string }>(
    sql`select data ->> 'key' as key from import_rows where import_id = ${id} and data ? 'key'`,
  )
  const keys = new Set(imported.map(({ key }) => key))
  const isImported = (row: (typeof bookmarks)[number]): boolean =>
    [row.uri ?? statusUri(ctx, row.username, row.id), row.url ?? ''].some((address) => keys.has(address))
  return bookmarks.filter((row) => !isImported(row)).map((row) => row.id)
}

export const findListByTitle = (ctx: Context, owner: string, title: string): Promise<ListRow | null> =>
  ctx.db.maybe<ListRow>(sql`
    select id, account_id, title, replies_policy, exclusive from lists
    where account_id = ${owner} and title = ${title} order by id limit 1`)

export const isListMember = async (ctx: Context, listId: string, accountId: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from list_accounts where list_id = ${listId} and account_id = ${accountId}`)) !== null
