// What a lost connection means for statements, and how the loss of a silent database is noticed.
import type { Writable } from 'node:stream'
import pg from 'pg'
import { OutcomeUnknown, Unavailable } from '../lib/errors.ts'

/**
 * SQLSTATE classes that a server or connection problem causes: connection, resources (memory, disk, connections), system errors.
 */
const CLASSES = new Set(['08', '53', '58'])
/**
 * Shutdown, crash, start-up, dropped database and idle session (57P01 to 57P05), a cancelled statement, a transaction that the
 * server ended because it was idle or long, and a read-only server: a standby, or a former primary.
 */
const CODES = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '57014', '25P03', '25P04', '25006'])
/** A lock was not free within the `lock_timeout` of the role or the transaction. */
const LOCK_NOT_AVAILABLE = '55P03'
/** PostgreSQL closes the connection after an error of these severities. */
const FATAL = new Set(['FATAL', 'PANIC'])

/** Private members of `pg`, which tell whether a client still accepts statements. */
type Internals = { _queryable: boolean; _ending: boolean; connection: { stream: Writable } }

export const streamOf = (client: pg.ClientBase): Writable => (client as unknown as Internals).connection.stream

const isLost = (client: pg.ClientBase): boolean => {
  const { _queryable, _ending } = client as unknown as Internals
  return !_queryable || _ending || streamOf(client).destroyed
}

export const unreachable = (error: unknown): Unavailable =>
  error instanceof Unavailable ? error : new Unavailable(undefined, error)

/** For the result of a write: throws OutcomeUnknown when the connection is lost before PostgreSQL confirms or refuses it. */
export const confirmed = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    const isUnknown = error instanceof Unavailable && !(error.cause instanceof pg.DatabaseError)
    throw isUnknown ? new OutcomeUnknown(undefined, error.cause) : error
  })

/** Turns an error that the connection or the server caused into Unavailable (503), and returns any other unchanged. */
export function mapDatabaseError(error: unknown, client: pg.ClientBase): unknown {
  if (!(error instanceof pg.DatabaseError)) return isLost(client) ? unreachable(error) : error
  const { code = '', severity = '' } = error
  const isOutage =
    CLASSES.has(code.slice(0, 2)) ||
    CODES.has(code) ||
    code === LOCK_NOT_AVAILABLE ||
    FATAL.has(severity) ||
    isUnlogged(error)
  return isOutage ? unreachable(error) : error
}

/** A standby has no unlogged tables, such as the home feeds. */
const isUnlogged = (error: pg.DatabaseError): boolean => error.code === '0A000' && error.routine === 'get_relation_info'

/** After a failover, a new connection may reach the primary. */
export function isReadOnly(error: unknown): boolean {
  const { cause } = error as Error
  return cause instanceof pg.DatabaseError && (cause.code === '25006' || isUnlogged(cause))
}

export const isLockTimeout = ({ cause }: Error): boolean =>
  cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE

/** Milliseconds between probes. One that is unanswered at the second turn after it means that the database has vanished. */
const PROBE_MS = 5000

/** `loseAll` ends the open connections: their statements fail. */
export function trackConnections(): { track(client: pg.ClientBase): void; loseAll(): void } {
  const open = new Set<pg.ClientBase>()
  return {
    track(client) {
      open.add(client)
      client.once('end', () => open.delete(client))
    },
    loseAll() {
      for (const client of open) streamOf(client).destroy()
    },
  }
}

/**
 * Calls `onLoss` when the database does not answer. The system would wait for a quarter of an hour before it gives up the
 * connections, and all requests with them. Counts turns of a timer, not time: a busy or suspended process has had no chance to
 * read the answer.
 */
export function watchForLoss(probe: () => Promise<unknown>, onLoss: () => void): () => void {
  /** Turns since the probe that is unanswered. */
  let turns: number | null = null
  const timer = setInterval(() => {
    if (turns !== null) return void (++turns === 2 && onLoss())
    turns = 0
    probe()
      .catch(() => {})
      .finally(() => (turns = null))
  }, PROBE_MS).unref()
  return () => clearInterval(timer)
}
