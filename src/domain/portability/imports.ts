import type { Context } from '../../context.ts'
import type { ImportRows, Imports, Lists, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { writeCsv } from './csv.ts'
import { type ImportRow, type ImportType, readImport } from './import-rows.ts'
import { statusUri } from '../server/addresses.ts'
import { isFunctional } from '../users/states.ts'
import { Invalid } from '../../lib/errors.ts'
import { message, render, type Language } from '../../messages/message.ts'
import { messageLanguage } from '../server/languages.ts'

export type ImportInfo = Pick<
  Imports,
  'id' | 'type' | 'state' | 'overwrite' | 'file_name' | 'total' | 'done' | 'failed' | 'created_at' | 'finished_at'
>

export type FailedRow = { cells: string[]; error: string }

const COLUMNS = sql`id, type, overwrite, file_name, state, total, done, failed, created_at, finished_at`
const SHOWN = 10

/**
 * Stores the rows until the owner confirms the import, and replaces an earlier unconfirmed one. Returns the id. Throws
 * Invalid for an unusable file, and while another import runs.
 */
export async function createImport(
  ctx: Context,
  accountId: string,
  given: { type: ImportType; overwrite: boolean; fileName: string; bytes: Uint8Array },
): Promise<string> {
  const { rows, unusable } = readImport(ctx, given.type, given.bytes)
  return ctx.transaction(async (tx) => {
    const user = await tx.db.maybe<Pick<Users, 'locale'>>(sql`
      select u.locale from accounts a join users u on u.account_id = a.id where a.id = ${accountId} for no key update of a`)
    const unreadable = render(message('import_row_unreadable'), messageLanguage(user?.locale ?? 'en'))
    const items: { data: Partial<ImportRow>; error: string | null }[] = [
      ...rows.map((data) => ({ data, error: null })),
      ...unusable.map((cells) => ({ data: { cells }, error: unreadable })),
    ]
    await tx.db.run(sql`delete from imports where account_id = ${accountId} and state = 'unconfirmed'`)
    const running = await tx.db.maybe(sql`select from imports where account_id = ${accountId} and state = 'running'`)
    if (running) throw new Invalid(message('import_running'))
    const { id } = await tx.db.one<{ id: string }>(sql`
      insert into imports (account_id, type, overwrite, file_name, total, done, failed)
      values (${accountId}, ${given.type}, ${given.overwrite}, ${given.fileName.slice(-100)}, ${items.length}, ${unusable.length}, ${unusable.length})
      returning id`)
    await tx.db.run(sql`
      insert into import_rows (import_id, data, error)
      select ${id}::bigint, item -> 'data', item ->> 'error' from jsonb_array_elements(${JSON.stringify(items)}::jsonb) as item`)
    return id
  })
}

/** False unless the import is unconfirmed. */
export async function startImport(tx: Context, accountId: string, id: string): Promise<boolean> {
  const started = await tx.db.run(
    sql`update imports set state = 'running' where id = ${id} and account_id = ${accountId} and state = 'unconfirmed'`,
  )
  return started > 0
}

/** Deletes an unconfirmed import, or stops a running one without undoing its rows. */
export async function stopImport(ctx: Context, accountId: string, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`delete from imports where id = ${id} and account_id = ${accountId} and state = 'unconfirmed'`)
    await tx.db.run(sql`
      update imports set state = 'finished', finished_at = now() where id = ${id} and account_id = ${accountId} and state = 'running'`)
  })
}

export const listImports = (ctx: Context, accountId: string): Promise<ImportInfo[]> =>
  ctx.db.many<ImportInfo>(
    sql`select ${COLUMNS} from imports where account_id = ${accountId} order by id desc limit ${SHOWN}`,
  )

export const findImport = (ctx: Context, accountId: string, id: string): Promise<ImportInfo | null> =>
  ctx.db.maybe<ImportInfo>(sql`select ${COLUMNS} from imports where id = ${id} and account_id = ${accountId}`)

/** In the order of the file. */
export const failedRows = (ctx: Context, importId: string, limit: number | null = null): Promise<FailedRow[]> =>
  ctx.db.many<FailedRow>(sql`
    select data -> 'cells' as cells, error from import_rows where import_id = ${importId} and error is not null order by id limit ${limit}`)

/** The file can be imported again. */
export async function failuresCsv(ctx: Context, importId: string): Promise<string> {
  return writeCsv((await failedRows(ctx, importId)).map(({ cells }) => cells))
}

export type RunningImport = Pick<Imports, 'id' | 'type' | 'account_id' | 'overwrite' | 'prepared'> & {
  /** The owner's, for the reasons of failed rows. */
  language: Language
  /** False when the owner is disabled or suspended. */
  may_act: boolean
}
type RowOutcome = { id: string; error: string | null }

/** Null also when the owner no longer exists. */
export async function findRunningImport(ctx: Context, id: string): Promise<RunningImport | null> {
  const row = await ctx.db.maybe<RunningImport & Pick<Users, 'locale'>>(sql`
    select i.id, i.account_id, i.type, i.overwrite, i.prepared, u.locale, ${isFunctional} as may_act
    from imports i join users u on u.account_id = i.account_id join accounts a on a.id = i.account_id
    where i.id = ${id} and i.state = 'running'`)
  return row && { ...row, language: messageLanguage(row.locale) }
}

export async function markPrepared(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update imports set prepared = true where id = ${id}`)
}

export async function markFinished(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(
    sql`update imports set state = 'finished', finished_at = now() where id = ${id} and state = 'running'`,
  )
}

export const nextRows = (
  ctx: Context,
  importId: string,
  limit: number,
): Promise<(Pick<ImportRows, 'id'> & { data: ImportRow })[]> =>
  ctx.db.many(
    sql`select id, data from import_rows where import_id = ${importId} and error is null order by id limit ${limit}`,
  )

/** May run twice: a row that another run of the job has counted is not counted again. */
export async function recordOutcomes(ctx: Context, importId: string, outcomes: readonly RowOutcome[]): Promise<void> {
  await ctx.db.run(sql`
    with outcome as (
      select o.id, o.error from unnest(${outcomes.map(({ id }) => id)}::bigint[], ${outcomes.map(({ error }) => error)}::text[]) as o (id, error)
    ), succeeded as (
      delete from import_rows r using outcome o where r.id = o.id and o.error is null and r.error is null returning r.id
    ), failed as (
      update import_rows r set error = o.error from outcome o where r.id = o.id and o.error is not null and r.error is null returning r.id
    )
    update imports set done = done + (select count(*) from succeeded) + (select count(*) from failed),
      failed = failed + (select count(*) from failed)
    where id = ${importId}`)
}

type Import = Pick<RunningImport, 'id' | 'account_id'>

/** The titles in an import for which its owner has no list, in the order of the file. */
export async function missingListTitles(ctx: Context, { id, account_id: accountId }: Import): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Lists, 'title'>>(sql`
    select trim(data ->> 'list') as title from import_rows r
    where import_id = ${id} and data ? 'list' and not exists (select from lists where account_id = ${accountId} and title = trim(data ->> 'list'))
    group by 1 order by min(r.id)`)
  return rows.map(({ title }) => title)
}

export async function importedListTitles(ctx: Context, { id }: Import): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.many<Pick<Lists, 'title'>>(
    sql`select distinct trim(data ->> 'list') as title from import_rows where import_id = ${id} and data ? 'list'`,
  )
  return new Set(rows.map(({ title }) => title))
}

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
