import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError, Forbidden, NotFound, problemsIn } from '../../lib/errors.ts'
import { importRow } from './import-row.ts'
import { prepareImport } from './prepare-import.ts'
import type { ImportRow, ImportType } from '../../domain/portability/import-rows.ts'

/** How many rows one job does: few enough to be done before it is taken for dead, though servers be slow. */
const BATCH = 40
/** How many other servers are asked at once. */
const AT_ONCE = 8

export type RunningImport = { id: string; account_id: string; type: ImportType; overwrite: boolean; prepared: boolean }

type Outcome = { id: string; error: string | null }

/** Job `portability.import`: does the next rows of an import, and comes back for those after them. */
export async function runImport(ctx: Context, { importId }: JobData['portability.import']): Promise<void> {
  const running = await ctx.db.maybe<RunningImport>(sql`
    select i.id, i.account_id, i.type, i.overwrite, i.prepared from imports i join users u on u.account_id = i.account_id
    where i.id = ${importId} and i.state = 'running'`)
  if (!running) return
  if (!running.prepared) {
    await prepareImport(ctx, running)
    await ctx.db.run(sql`update imports set prepared = true where id = ${importId}`)
  }
  const rows = await ctx.db.many<{ id: string; data: ImportRow }>(
    sql`select id, data from import_rows where import_id = ${importId} and error is null order by id limit ${BATCH}`,
  )
  if (rows.length === 0) {
    await ctx.db.run(
      sql`update imports set state = 'finished', finished_at = now() where id = ${importId} and state = 'running'`,
    )
    return
  }
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const part = rows.slice(at, at + AT_ONCE)
    const outcomes = await Promise.all(
      part.map(async ({ id, data }) => ({ id, error: await errorOf(ctx, running, data) })),
    )
    await record(ctx, importId, outcomes)
  }
  await ctx.enqueue('portability.import', { importId })
}

/** Does a row. Gives why that did not work, in words, or null when it did. Throws what may go better later. */
async function errorOf(ctx: Context, running: RunningImport, row: ImportRow): Promise<string | null> {
  try {
    await importRow(ctx, running, row)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error instanceof NotFound) return 'This could not be found'
    if (error instanceof Forbidden) return 'This is not possible: somebody has blocked somebody, or has moved'
    return String(problemsIn(error))
  }
}

/** Counts what was done; a row that another run of this job has counted is not counted again. */
async function record(ctx: Context, importId: string, outcomes: readonly Outcome[]): Promise<void> {
  await ctx.db.run(sql`
    with outcome as (
      select * from unnest(${outcomes.map(({ id }) => id)}::bigint[], ${outcomes.map(({ error }) => error)}::text[]) as o (id, error)
    ), succeeded as (
      delete from import_rows r using outcome o where r.id = o.id and o.error is null and r.error is null returning r.id
    ), failed as (
      update import_rows r set error = o.error from outcome o where r.id = o.id and o.error is not null and r.error is null returning r.id
    )
    update imports set done = done + (select count(*) from succeeded) + (select count(*) from failed),
      failed = failed + (select count(*) from failed)
    where id = ${importId}`)
}
