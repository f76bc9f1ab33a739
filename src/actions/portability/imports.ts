import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { writeCsv } from '../../domain/portability/csv.ts'
import { readImport, type ImportRow, type ImportType } from '../../domain/portability/import-rows.ts'

/** An import as its owner sees it. */
export type ImportInfo = {
  id: string
  type: ImportType
  overwrite: boolean
  file_name: string
  state: 'unconfirmed' | 'running' | 'finished'
  total: number
  done: number
  failed: number
  created_at: Date
  finished_at: Date | null
}

export type FailedRow = { cells: string[]; error: string }

const COLUMNS = sql`id, type, overwrite, file_name, state, total, done, failed, created_at, finished_at`
/** How many imports of a person are kept to be looked at. */
const SHOWN = 10

/**
 * Reads a file and keeps its rows until its owner confirms it; one that was not confirmed before is forgotten. Nothing else
 * changes yet. Gives the id. Throws Invalid for a file that cannot be used, and while another import runs.
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
    if (running) throw new Invalid('Another import is still running. Wait until it is done, or stop it')
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

/** Begins an import. False when there is none of this person that waits. */
export async function confirmImport(ctx: Context, accountId: string, id: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const begun = await tx.db.run(
      sql`update imports set state = 'running' where id = ${id} and account_id = ${accountId} and state = 'unconfirmed'`,
    )
    if (begun > 0) await tx.enqueue('portability.import', { importId: id })
    return begun > 0
  })
}

/** Ends an import: forgets one that was not confirmed, stops one that runs. What it has done stays done. */
export async function stopImport(ctx: Context, accountId: string, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`delete from imports where id = ${id} and account_id = ${accountId} and state = 'unconfirmed'`)
    await tx.db.run(sql`
      update imports set state = 'finished', finished_at = now() where id = ${id} and account_id = ${accountId} and state = 'running'`)
  })
}

/** The newest imports of a person. */
export const listImports = (ctx: Context, accountId: string): Promise<ImportInfo[]> =>
  ctx.db.many<ImportInfo>(
    sql`select ${COLUMNS} from imports where account_id = ${accountId} order by id desc limit ${SHOWN}`,
  )

/** An import of this person, or null. */
export const findImport = (ctx: Context, accountId: string, id: string): Promise<ImportInfo | null> =>
  ctx.db.maybe<ImportInfo>(sql`select ${COLUMNS} from imports where id = ${id} and account_id = ${accountId}`)

/** The rows that failed, in the order of the file; without a limit all of them. */
export const failedRows = (ctx: Context, importId: string, limit: number | null = null): Promise<FailedRow[]> =>
  ctx.db.many<FailedRow>(sql`
    select data -> 'cells' as cells, error from import_rows where import_id = ${importId} and error is not null order by id limit ${limit}`)

/** The rows that failed, as a file that can be imported again. */
export async function failuresCsv(ctx: Context, importId: string): Promise<string> {
  return writeCsv((await failedRows(ctx, importId)).map(({ cells }) => cells))
}
