import { setTimeout as sleep } from 'node:timers/promises'
import { perServer, type Context } from '../../context.ts'
import { knownMigrations } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { once } from '../../lib/concurrency.ts'
import { readDiskSpace } from './disk-space.ts'

/**
 * `database`: it does not answer. `migrations`: it is of another version. `jobs`: no worker takes jobs. `read-only`: the
 * database takes no writes. `disk`: the disk of DATA_DIR is full.
 */
type State = 'OK' | 'database' | 'migrations' | 'jobs' | 'read-only' | 'disk'

/** The server still shows pages and posts in these states. They concern every process, so none could serve in its place. */
const LIMITED: readonly State[] = ['read-only', 'disk']

export const isReady = (state: State): boolean => state === 'OK' || LIMITED.includes(state)

/** In bytes: PostgreSQL needs that much for two segments of its log. */
const FULL_DISK = 32 * 1024 * 1024

const TIMEOUT_MS = 2000
/** Checks share one answer for this long, so that they cost nothing however often they come. */
const CACHE_MS = 1000

const stateOf = perServer(() => ({ works: false, at: 0, answer: null as Promise<State> | null }))

const requiredMigrations = once(() => knownMigrations().map(({ id }) => id))

/** Call it with true once this process has started the workers of its roles, if any, and with false before it stops. */
export function setWorking(ctx: Context, works: boolean): void {
  stateOf(ctx).works = works
}

export function findState(ctx: Context): Promise<State> {
  const state = stateOf(ctx)
  // Not by the clock, which may be put back: an outdated answer would stay for as long.
  const now = performance.now()
  if (state.answer && now - state.at < CACHE_MS) return state.answer
  state.at = now
  return (state.answer = check(ctx, state.works))
}

async function check(ctx: Context, works: boolean): Promise<State> {
  const database = ctx.db
    .one<{ differs: boolean; read_only: boolean }>(
      sql`select array(select id from schema_migrations order by id collate "C") <> ${requiredMigrations()}::text[] as differs,
        current_setting('transaction_read_only')::boolean as read_only`,
    )
    .catch(() => null)
  const found = await Promise.race([database, sleep(TIMEOUT_MS, null, { ref: false })])
  if (found === null) return 'database'
  if (found.differs) return 'migrations'
  if (!works) return 'jobs'
  if (found.read_only) return 'read-only'
  const space = await readDiskSpace(ctx).catch(() => null)
  return space !== null && space.free < FULL_DISK ? 'disk' : 'OK'
}
