import type { Context } from '../../context.ts'
import type { Imports, ImportRows } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { writeCsv } from './csv.ts'
import { readImport, type ImportRow, type ImportType } from './import-rows.ts'

/** An import as its owner sees it. */
export type ImportInfo = Pick<
  Imports,
  'id' | 'overwrite' | 'file_name' | 'total' | 'done' | 'failed' | 'created_at' | 'finished_at'
> & { type: ImportType; state: 'unconfirmed' | 'running' | 'finished' }

export type FailedRow = { cells: string[]; error: string }

const COLUMNS = sql`id, type, overwrite, file_name, state, total, done, failed, created_at, finished_at`
/** How many imports the settings page lists. */
const SHOWN = 10

/**
 * Stores the rows of a file until its owner confirms the import, in place of an earlier unconfirmed one. Returns the id.
 * Throws Invalid for an unusable file, and while another import runs.
 */
export async function createImport(
  ctx: Context,
  accountId: string,
  given: { type: ImportType; overwrite: boolean; fileName: string; bytes: Uint8Array },
): Promise<string> {
  const { rows, unusable } = readImport(ctx, given.type, given.bytes)
  const items: { data: Partial<ImportRow>; error: string | null }[] = [
    ...rows.map((data) => ({ data, error: null })),
    ...unusable.map((cells) => ({ data: { cells }, error: 'This row cannot be understood' })),
  ]
  return ctx.transaction(async (tx) => {
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
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

/** Marks an unconfirmed import as running; false if there is none. */
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

/** The newest imports of an account. */
export const listImports = (ctx: Context, accountId: string): Promise<ImportInfo[]> =>
  ctx.db.many<ImportInfo>(
    sql`select ${COLUMNS} from imports where account_id = ${accountId} order by id desc limit ${SHOWN}`,
  )

export const findImport = (ctx: Context, accountId: string, id: string): Promise<ImportInfo | null> =>
  ctx.db.maybe<ImportInfo>(sql`select ${COLUMNS} from imports where id = ${id} and account_id = ${accountId}`)

/** Failed rows in the order of the file. */
export const failedRows = (ctx: Context, importId: string, limit: number | null = null): Promise<FailedRow[]> =>
  ctx.db.many<FailedRow>(sql`
    select data -> 'cells' as cells, error from import_rows where import_id = ${importId} and error is not null order by id limit ${limit}`)

/** Failed rows as a file that can be imported again. */
export async function failuresCsv(ctx: Context, importId: string): Promise<string> {
  return writeCsv((await failedRows(ctx, importId)).map(({ cells }) => cells))
}

export type RunningImport = Pick<Imports, 'id' | 'account_id' | 'overwrite' | 'prepared'> & { type: ImportType }
export type RowOutcome = { id: string; error: string | null }

/** An import that runs and whose owner still exists. */
export const findRunningImport = (ctx: Context, id: string): Promise<RunningImport | null> =>
  ctx.db.maybe<RunningImport>(sql`
    select i.id, i.account_id, i.type, i.overwrite, i.prepared from imports i join users u on u.account_id = i.account_id
    where i.id = ${id} and i.state = 'running'`)

export async function markPrepared(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update imports set prepared = true where id = ${id}`)
}

export async function markFinished(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(
    sql`update imports set state = 'finished', finished_at = now() where id = ${id} and state = 'running'`,
  )
}

/** The next rows to import. */
export const nextRows = (
  ctx: Context,
  importId: string,
  limit: number,
): Promise<(Pick<ImportRows, 'id'> & { data: ImportRow })[]> =>
  ctx.db.many(
    sql`select id, data from import_rows where import_id = ${importId} and error is null order by id limit ${limit}`,
  )

/** Counts finished rows; a row that another run of the job has counted is not counted again. */
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
