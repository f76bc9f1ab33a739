import type { Context } from '../../src/context.ts'
import { eventually } from './eventually.ts'
import type { TestServer } from './server.ts'

const WAITING = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

/**
 * Begins `work` between `act` and the commit of its transaction, which follows once so many statements of `work` wait for locks,
 * or `work` has ended.
 */
export async function beforeCommit<Result>(
  { ctx, database }: Pick<TestServer, 'ctx' | 'database'>,
  act: (tx: Context) => Promise<unknown>,
  work: () => Promise<Result>,
  { waiting = 1 }: { waiting?: number } = {},
): Promise<Result> {
  // The connections of the server may wait, too.
  const observer = await database.dedicated()
  try {
    const { working } = await ctx.transaction(async (tx) => {
      await act(tx)
      let hasEnded = false
      const begun = work().finally(() => (hasEnded = true))
      begun.catch(() => {})
      await eventually(async () => hasEnded || (await observer.query(WAITING)).rows.length >= waiting)
      return { working: begun }
    })
    return await working
  } finally {
    await observer.end()
  }
}
