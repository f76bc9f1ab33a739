import pg from 'pg'
import type { Context } from '../../src/context.ts'
import { eventually } from './eventually.ts'
import type { TestServer } from './server.ts'

const WAITING = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

/** Until a statement waits for a lock. */
export async function untilWaiting({ database }: Pick<TestServer, 'database'>): Promise<void> {
  const observer = await database.dedicated()
  await eventually(async () => (await observer.query(WAITING)).rows.length > 0).finally(() => observer.end())
}

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

/**
 * Begins `work` before the next statement that contains `text`. The statement follows once another one waits for a lock, or `work`
 * has ended. Returns a function that waits for `work`.
 */
export async function beforeStatement(
  { database }: Pick<TestServer, 'database'>,
  text: string,
  work: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const observer = await database.dedicated()
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const restore = (): void => void (pg.Client.prototype.query = query as typeof pg.Client.prototype.query)
  const working = Promise.withResolvers<void>()
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (!(args[0] as { text?: string }).text?.includes(text)) return query.apply(this, args)
    restore()
    let hasEnded = false
    const begun = work().finally(() => (hasEnded = true))
    begun.then(() => working.resolve(), working.reject)
    return eventually(async () => hasEnded || (await observer.query(WAITING)).rows.length > 0).then(() =>
      query.apply(this, args),
    )
  } as typeof pg.Client.prototype.query
  return () => working.promise.finally(() => (restore(), observer.end()))
}
