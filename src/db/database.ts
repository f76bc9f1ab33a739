import pg from 'pg'
import { invalidFields } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { confirmed, isReadOnly, trackConnections, unreachable, watchForLoss } from './connection-loss.ts'
import {
  applySettings,
  openSharedConnection,
  openSharedConnections,
  send,
  type SharedConnection,
} from './shared-connection.ts'
import { statementText, type Sql } from './sql.ts'

// Calendar dates stay text (YYYY-MM-DD): as a Date, they would move with the time zone of the process.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)

/** Returns bigints as strings and timestamps as Dates. */
export type Queryable = {
  many<Row>(statement: Sql): Promise<Row[]>
  maybe<Row>(statement: Sql): Promise<Row | null>
  /** Throws Error when there is no row. */
  one<Row>(statement: Sql): Promise<Row>
  /** Returns the number of changed rows. */
  run(statement: Sql): Promise<number>
  /** For libraries with SQL of their own: text with $1 parameters. */
  raw(text: string, values?: unknown[]): Promise<pg.QueryResult>
}

export type Database = Queryable & {
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** For LISTEN and session locks. The caller ends the connection. */
  dedicated(): Promise<pg.Client>
  /** As `one`, for the change log: by indexes only, on a connection of its own where no other statement delays it. */
  readChangeLog<Row>(statement: Sql): Promise<Row>
  /** The number of statements so far: tests compare it to find queries per row. */
  readonly statements: number
  /** Grows with each single statement that may have written, and each transaction, once it has ended. */
  readonly writes: number
  /** Connections for transactions, transactions that wait for one, and single statements that are on their way. */
  load(): { open: number; idle: number; waiting: number; pending: number }
  close(): Promise<void>
}

/** `background`: on one of few connections of its own, whose backends let requests go before them. */
export type TransactionOptions = { background?: boolean }

export type DatabaseOptions = {
  connection: pg.ClientConfig
  poolSize: number
  /** Connections for single statements, of which many share each. */
  sharedConnections: number
  /** Called with the process id of each backend of a connection for background work. */
  lowerPriority?: (pid: number) => void
  /** Statements have no time limit, even if the role has one. */
  withoutTimeLimits?: boolean
  /** The database may be on a machine that disappears without closing its connections. */
  mayVanish?: boolean
  onError: (error: Error) => void
}

/** The set of texts is limited, as values are never part of them. */
const names = new Map<string, string>()
const nameOf = (text: string): string => {
  let known = names.get(text)
  if (!known) names.set(text, (known = `s${names.size}`))
  return known
}

const writing = new Map<string, boolean>()
/** Also true of some statements that only read: those that contain such a word. */
function isWrite(text: string): boolean {
  let known = writing.get(text)
  if (known === undefined) writing.set(text, (known = /\b(?:insert|update|delete)\b/i.test(text)))
  return known
}

type Runner = (query: pg.QueryConfig, plannedByValue?: boolean) => Promise<pg.QueryResult>

/** Connections stay open while they have nothing to do, whatever the administrator has set for the role. */
const NO_IDLE_LIMIT = 'set idle_session_timeout = 0'
/** Backups, migrations and commands may take long and wait for locks. PostgreSQL 15 and 16 lack one of these settings. */
const NO_TIME_LIMITS = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`
/** Planning takes longer than running for most statements, and one plan suits all values. */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan'
const BY_INDEX = 'set enable_seqscan = off'
const PLAN_BY_VALUE = 'set plan_cache_mode = force_custom_plan'

function queryable(run: Runner): Queryable {
  const send = (statement: Sql): Promise<pg.QueryResult> => {
    const text = statementText(statement)
    return run({ name: nameOf(text), text, values: statement.values as unknown[] }, statement.plannedByValue)
  }
  return {
    many: async <Row>(statement: Sql) => (await send(statement)).rows as Row[],
    maybe: async <Row>(statement: Sql) => ((await send(statement)).rows[0] as Row | undefined) ?? null,
    one: async <Row>(statement: Sql) => {
      const { rows } = await send(statement)
      if (rows.length === 0) throw new Error('the statement returned no row')
      return rows[0] as Row
    },
    run: async (statement) => (await send(statement)).rowCount ?? 0,
    raw: (text, values) => run({ text, ...(values ? { values } : {}) }),
  }
}

/** Connections for background work. */
const BACKGROUND = 2
const CONNECT_TIMEOUT_MS = 10_000
/** Detects a lost machine on idle connections. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * Single statements share a few pipelined connections, which avoids the cost of checking out a connection; each transaction
 * takes one from the pool.
 */
export function openDatabase(given: DatabaseOptions): Database {
  let [statements, writes] = [0, 0]
  let closing = false
  const onError = (error: Error): void => void (closing || given.onError(error))
  const options = { ...given, onError }
  const { track, loseAll } = trackConnections()
  const connection: pg.ClientConfig = {
    ...options.connection,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  }
  const pool = openPool(connection, options)
  const background = openPool(connection, { ...options, poolSize: BACKGROUND })
  background.on('connect', (client) => options.lowerPriority?.((client as unknown as { processID: number }).processID))
  for (const each of [pool, background]) each.on('connect', track)
  const open = (settings: string): SharedConnection =>
    openSharedConnection(connection, `${settings}; ${timeLimitsOf(options)}`, track, onError)
  const planningOnce = Array.from({ length: options.sharedConnections }, () => open(PLAN_ONCE))
  const shared = openSharedConnections(planningOnce, open(PLAN_BY_VALUE))
  const changeLogConnection = open(`${PLAN_ONCE}; ${BY_INDEX}`)
  const stopProbes = options.mayVanish
    ? watchForLoss(() => changeLogConnection.run({ text: 'select 1' }), loseAll)
    : null
  const runSingle: Runner = (query, plannedByValue) => {
    // Statements of libraries have no name and are not counted: the queue polls all the time.
    if (query.name !== undefined) statements++
    else if (WHOLE_TRANSACTION.test(query.text)) return runWhole(pool, query).finally(() => writes++)
    const result = shared.run(query, plannedByValue)
    return !plannedByValue && isWrite(query.text) ? confirmed(result).finally(() => writes++) : result
  }
  return {
    ...queryable(runSingle),
    get statements() {
      return statements
    },
    readChangeLog: queryable((query) => {
      statements++
      return changeLogConnection.run(query)
    }).one,
    get writes() {
      return writes
    },
    load: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      pending: shared.pending(),
    }),
    transaction: (work, { background: isBackground = false } = {}) =>
      transact(isBackground ? background : pool, work, () => statements++).finally(() => writes++),
    dedicated: () => openDedicated(connection, track, onError),
    async close() {
      // The pools do not wait until PostgreSQL has ended their connections. When it stops next, it reports them as lost.
      closing = true
      stopProbes?.()
      await Promise.all([pool.end(), background.end(), shared.close(), changeLogConnection.close()])
    },
  }
}

const timeLimitsOf = ({ withoutTimeLimits }: DatabaseOptions): string =>
  withoutTimeLimits ? NO_TIME_LIMITS : NO_IDLE_LIMIT

/**
 * Only transactions use the pool. Each connection has a permanent error listener, as the pool listens only while the connection
 * is idle, and an `error` event without a listener ends the process.
 */
function openPool(connection: pg.ClientConfig, options: DatabaseOptions): pg.Pool {
  const { poolSize, onError } = options
  const pool = new pg.Pool({
    ...connection,
    pipeline: true,
    max: poolSize,
    idleTimeoutMillis: 60_000,
  } as pg.PoolConfig)
  pool.on('connect', (client) => {
    client.on('error', onError)
    applySettings(client, `${PLAN_ONCE}; ${timeLimitsOf(options)}`)
  })
  // The listener of the connection has reported the error.
  pool.on('error', () => {})
  return pool
}

async function openDedicated(
  connection: pg.ClientConfig,
  track: (client: pg.Client) => void,
  onError: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', onError)
  await client.connect().catch((error: unknown) => {
    throw unreachable(error)
  })
  track(client)
  applySettings(client, NO_TIME_LIMITS)
  return client
}

/** Several statements in one text, as the queue's library sends them. */
const WHOLE_TRANSACTION = /^\s*begin;/i

/** Not on a connection that others share: after an error, the transaction stays open. */
async function runWhole(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unreachable(error)
  })
  let broken: Error | undefined
  try {
    return await send(client, query)
  } catch (error) {
    broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

async function transact<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>, count: () => void): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unreachable(error)
  })
  let broken: Error | undefined
  let ended = false
  let failure: unknown
  // Simultaneous calls are pipelined: they share a write and run in the order of the calls.
  const run: Runner = async (query) => {
    // Tasks that go on after another one has failed must not send statements to the next user of the connection.
    if (ended) throw new Error('the transaction has ended')
    count()
    return send(client, query).catch((error: unknown) => {
      failure ??= error
      throw error
    })
  }
  try {
    // Not awaited: it is sent together with the first statement. If it fails, so do the others.
    send(client, { text: 'begin' }).catch(() => {})
    const result = await work(queryable(run))
    ended = true
    const { command } = await confirmed(send(client, { text: 'commit' }))
    // PostgreSQL answers ROLLBACK after a failed statement. A caller that ignored the error would acknowledge lost writes.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: an error in it was ignored')
    return result
  } catch (error) {
    ended = true
    if (isReadOnly(error)) broken = error as Error
    await send(client, { text: 'rollback' }).catch((failure: Error) => {
      broken = failure
    })
    // The caller of a later statement may be the first to hear of the failure.
    throw isConsequence(error) ? failure : error
  } finally {
    client.release(broken)
  }
}

/** PostgreSQL refuses all statements after one that failed. */
const isConsequence = (error: unknown): boolean => (error as { code?: unknown }).code === '25P02'

/** A unique violation, of the constraint or index `constraint` if given. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  const e = error as { code?: string; constraint?: string }
  return e.code === '23505' && (constraint === undefined || e.constraint === constraint)
}

/** Throws Invalid, with `taken` at the field, where `work` stores a value that another row has. */
export async function refuseDuplicate<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalidFields({ [field]: [{ error: 'ERR_TAKEN', description: message('taken') }] })
  }
}
