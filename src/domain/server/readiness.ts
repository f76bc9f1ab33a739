import { setTimeout as sleep } from 'node:timers/promises'
import { perServer, type Context } from '../../context.ts'
import { knownMigrations } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { once } from '../../lib/concurrency.ts'

/** Why the server is not ready: the database does not answer, it lacks a migration, or no worker takes jobs. */
export type Unready = 'database' | 'migrations' | 'jobs'

const TIMEOUT_MS = 2000
/** Checks share one answer for this long, so that they cost nothing however often they come. */
const CACHE_MS = 1000

const stateOf = perServer(() => ({ works: false, at: 0, answer: null as Promise<Unready | null> | null }))

const requiredMigrations = once(() => knownMigrations().map(({ id }) => id))

/** Call it with true once this process has started the workers of its roles, if any, and with false before it stops. */
export function setWorking(ctx: Context, works: boolean): void {
  stateOf(ctx).works = works
}

/** Null when the server is ready. */
export function findUnready(ctx: Context): Promise<Unready | null> {
  const state = stateOf(ctx)
  // Not by the clock, which may be put back: an outdated answer would stay for as long.
  const now = performance.now()
  if (state.answer && now - state.at < CACHE_MS) return state.answer
  state.at = now
  return (state.answer = check(ctx, state.works))
}

async function check(ctx: Context, works: boolean): Promise<Unready | null> {
  const missing = ctx.db
    .one<{ count: number }>(
      sql`select count(*)::int as count from unnest(${requiredMigrations()}::text[]) as required (id) where id not in (select id from schema_migrations)`,
    )
    .then(
      ({ count }) => count,
      () => null,
    )
  const found = await Promise.race([missing, sleep(TIMEOUT_MS, null, { ref: false })])
  if (found === null) return 'database'
  if (found > 0) return 'migrations'
  return works ? null : 'jobs'
}
