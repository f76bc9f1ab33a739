import type { Config, ProcessKind } from './config.ts'
import { openDatabase, type Database } from './db/database.ts'
import { checkRequirements } from './db/requirements.ts'
import { hasTooFewConnections, StartError } from './lib/errors.ts'
import { makePrivate } from './lib/folders.ts'
import { createLog, type Log } from './lib/log.ts'
import { prepareDataDir } from './postgres/cluster.ts'
import { isLocal, lowerPriority } from './postgres/connection.ts'
import { connectOrStart, startEmbedded } from './postgres/embedded.ts'

/** `url`: where other processes reach the same database. */
export type OpenConnection = { database: Database; url: string; close(): Promise<void> }

/** A command prints its result to stdout, so its log goes to stderr. */
export function logOf(config: Config, kind: ProcessKind): Log {
  const log = createLog(config.logLevel, kind === 'command' ? 'stderr' : 'stdout')
  return config.processName === null ? log : log.child({ process: config.processName })
}

/**
 * Without DATABASE_URL, opens the embedded database, and starts it if needed, with connections for as many processes. Does not
 * migrate. Throws StartError.
 */
export async function openConnection(
  config: Config,
  kind: ProcessKind,
  { log = logOf(config, kind), processes = 1 }: { log?: Log; processes?: number } = {},
): Promise<OpenConnection> {
  const onError = (error: Error): void => log.warn({ err: error }, 'database.connection-lost')
  const embedded =
    config.databaseUrl !== null
      ? null
      : await (kind === 'server' ? startEmbedded : connectOrStart)({
          dataDir: config.dataDir,
          log,
          settings: {
            max_connections: Math.max(
              100,
              processes * (config.databasePool + CONNECTIONS_BESIDES_POOL + CONNECTIONS_FOR_COMMANDS),
            ),
          },
        })
  if (!embedded && kind === 'server' && config.processName === null) {
    prepareDataDir(config.dataDir)
    if (!makePrivate(config.dataDir)) log.warn({ dataDir: config.dataDir }, 'data-directory.not-private')
  }
  const url = embedded?.url ?? (config.databaseUrl as string)
  const database = openDatabase({
    connection: embedded?.connection ?? { connectionString: url },
    ...(isLocal(url) ? { lowerPriority } : { mayVanish: kind === 'server' }),
    poolSize: config.databasePool,
    withoutTimeLimits: kind === 'command',
    sharedConnections: kind === 'server' ? Math.min(3, Math.ceil(config.databasePool / 3)) : 1,
    onError,
  })
  const close = async (): Promise<void> => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await checkConnection(database)
    if (!embedded) await checkRequirements(database)
    if (!embedded && kind === 'server') {
      await compareClocks(database, log)
      await compareCollations(database, log)
      // The primary process needs few, and each of the others would repeat the warning.
      if (config.processName === null)
        await compareLimits(
          database,
          log,
          Math.max(1, processes - 1) * (config.databasePool + CONNECTIONS_BESIDES_POOL),
        )
    }
  } catch (error) {
    await close()
    throw error
  }
  return { database, url, close }
}

/** Connections of a server process besides DB_POOL, which counts those for transactions (docs/admin/scale.md). */
const CONNECTIONS_BESIDES_POOL = 9

/** For commands that run beside the server: so many for each process. */
const CONNECTIONS_FOR_COMMANDS = 3

const MAX_CLOCK_DIFFERENCE_MS = 2000

/** Ids contain the time of the machine that made them: clients that ask for newer posts miss those of one with a slow clock. */
async function compareClocks(database: Database, log: Log): Promise<void> {
  const { rows } = await database.raw('select clock_timestamp() as now')
  const ahead = Date.now() - rows[0].now.getTime()
  if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS) log.warn({ seconds: Math.round(ahead / 1000) }, 'clock.differs')
}

/** After an update of the library that sorts text, indexes are in the former order: searches by name miss rows. */
async function compareCollations(database: Database, log: Log): Promise<void> {
  const { rows } = await database.raw(`
    select datcollversion as former, pg_database_collation_actual_version(oid) as now from pg_database
    where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)`)
  if (rows.length > 0) log.warn({ ...rows[0], advice: COLLATION_ADVICE }, 'database.collation-changed')
}

const COLLATION_ADVICE =
  'The system sorts text in another way than when the indexes were made. Run: bin/rookery maintenance reindex. ' +
  'Then run in psql: alter database NAME refresh collation version'

/** With fewer connections than the processes open under load, requests then fail. Limits do not apply to superusers. */
async function compareLimits(database: Database, log: Log, needed: number): Promise<void> {
  const { rows } = await database.raw(`
    select case when r.rolsuper then current_setting('max_connections')::int else least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) end as granted
    from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`)
  const granted: number = rows[0].granted
  if (granted < needed) log.warn({ granted, needed, advice: CONNECTIONS_ADVICE }, 'database.few-connections')
}

const CONNECTIONS_ADVICE =
  'The processes of this start open that many connections under load, and requests then fail. Raise max_connections, or the limit ' +
  'of the role or database, or lower DB_POOL (docs/admin/scale.md).'

/** Of `pg`, when a connection has not been established within CONNECT_TIMEOUT_MS. */
const TIMEOUT = 'timeout expired'

async function checkConnection(database: Database): Promise<void> {
  const connect = (): Promise<unknown> => database.raw('select 1')
  try {
    // On a slow or busy machine, the code that loads meanwhile delays this process until the time is over: it tries once more.
    await connect().catch((error: Error) => {
      if ((error.cause as Error | undefined)?.message !== TIMEOUT) throw error
      return connect()
    })
  } catch (error) {
    if (hasTooFewConnections(error)) throw error
    const cause = (error as Error).cause ?? error
    if ((cause as { code?: string }).code === 'ERR_INVALID_URL')
      throw new StartError(
        'DATABASE_URL is not an address such as postgresql://user:password@host:5432/rookery. Write #, / and ? in a password as %23, %2F and %3F.',
      )
    const reason = (cause as Error).message || (cause as { code?: string }).code
    throw new StartError(
      `The database cannot be reached (${reason}). Check DATABASE_URL, or unset it to use the embedded PostgreSQL.`,
      { cause: error },
    )
  }
}
