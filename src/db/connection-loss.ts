import pg from 'pg'
import { Unavailable } from '../lib/errors.ts'

/** SQLSTATE classes that no statement causes by itself: connection, resources (memory, disk, connections), system errors. */
const CLASSES = new Set(['08', '53', '58'])
/**
 * Shutdown, crash, start-up, dropped database and idle session (57P01 to 57P05), a cancelled statement, idle or long
 * transactions that the server ended, and a server that only reads: a standby, or a primary that has become one.
 */
const CODES = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '57014', '25P03', '25P04', '25006'])
/** PostgreSQL ends the connection after an error of these severities. */
const FATAL = new Set(['FATAL', 'PANIC'])

/** The parts of a client that say whether it can still be asked something. `pg` keeps them to itself. */
type Internals = { _queryable: boolean; _ending: boolean; connection: { stream: { destroyed: boolean } } }

const isLost = (client: pg.ClientBase): boolean => {
  const { _queryable, _ending, connection } = client as unknown as Internals
  return !_queryable || _ending || connection.stream.destroyed
}

/** A connection that could not be opened, for whatever reason: never the fault of a request. */
export const unreachable = (error: unknown): Unavailable =>
  error instanceof Unavailable ? error : new Unavailable(undefined, error)

/**
 * What an error of a statement means: Unavailable where the connection or the server is the cause, so that the answer is
 * a 503 and the next request may find it back; otherwise the error itself.
 */
export function meaningOf(error: unknown, client: pg.ClientBase): unknown {
  if (!(error instanceof pg.DatabaseError)) return isLost(client) ? unreachable(error) : error
  const { code = '', severity = '' } = error
  const isOutage = CLASSES.has(code.slice(0, 2)) || CODES.has(code) || FATAL.has(severity) || isUnlogged(error)
  return isOutage ? unreachable(error) : error
}

/** Whether a standby was asked for an unlogged table, such as the home feeds, which exist on a primary only. */
const isUnlogged = (error: pg.DatabaseError): boolean => error.code === '0A000' && error.routine === 'get_relation_info'

/** Whether this connection leads to a server that takes no writes: after a failover another connection may find the one that does. */
export function isReadOnly(error: unknown): boolean {
  const { cause } = error as Error
  return cause instanceof pg.DatabaseError && (cause.code === '25006' || isUnlogged(cause))
}
