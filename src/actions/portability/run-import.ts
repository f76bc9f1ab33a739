import type { Context } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError, Forbidden, NotFound, problemsIn } from '../../lib/errors.ts'
import { importRow } from './import-row.ts'
import { prepareImport } from './prepare-import.ts'
import type { ImportRow } from '../../domain/portability/import-rows.ts'
import {
  findRunningImport,
  markFinished,
  markPrepared,
  nextRows,
  recordOutcomes,
  startImport,
  type RunningImport,
} from '../../domain/portability/imports.ts'

/** Rows per job: few enough that the job does not expire even if every server is slow. */
const BATCH = 40
/** Rows that run at once. */
const CONCURRENCY = 8

/** Starts a confirmed import. False if the account has no such import that waits. */
export const confirmImport = (ctx: Context, accountId: string, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const started = await startImport(tx, accountId, id)
    if (started) await tx.enqueue('portability.import', { importId: id })
    return started
  })

/** Job `portability.import`: imports the next rows and enqueues itself for the rest. */
export async function runImport(ctx: Context, { importId }: JobData['portability.import']): Promise<void> {
  const running = await findRunningImport(ctx, importId)
  if (!running) return
  if (!running.prepared) {
    await prepareImport(ctx, running)
    await markPrepared(ctx, importId)
  }
  const rows = await nextRows(ctx, importId, BATCH)
  if (rows.length === 0) {
    await markFinished(ctx, importId)
    return
  }
  for (let at = 0; at < rows.length; at += CONCURRENCY) {
    const part = rows.slice(at, at + CONCURRENCY)
    const outcomes = await Promise.all(
      part.map(async ({ id, data }) => ({ id, error: await errorOf(ctx, running, data) })),
    )
    await recordOutcomes(ctx, importId, outcomes)
  }
  await ctx.enqueue('portability.import', { importId })
}

/** Imports a row. Returns the reason if that fails for good, otherwise null. Throws if a retry may succeed. */
async function errorOf(ctx: Context, running: RunningImport, row: ImportRow): Promise<string | null> {
  try {
    await importRow(ctx, running, row)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error instanceof NotFound) return 'This could not be found'
    if (error instanceof Forbidden)
      return 'This is not possible: one of the accounts has blocked the other, or has moved'
    return String(problemsIn(error))
  }
}
