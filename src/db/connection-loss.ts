import pg from 'pg'
import { Unavailable } from '../lib/errors.ts'

/** SQLSTATE classes that the server causes: connection, resources (memory, disk, connections), system errors. */
const CLASSES = new Set(['08', '53', '58'])
/**
 * Shutdown, crash, start-up, dropped database and idle session (57P01 to 57P05), a cancelled statement, a transaction
 * that the server ended because it was idle or long, and a read-only server: a standby, or a former primary.
 */
const CODES = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '57014', '25P03', '25P04', '25006'])
/** PostgreSQL closes the connection after an error of these severities. */
const FATAL = new Set(['FATAL', 'PANIC'])

/** The private members of `pg` that tell whether a client still accepts statements. */
type Internals = { _queryable: boolean; _ending: boolean; connection: { stream: { destroyed: boolean } } }

const isLost = (client: pg.ClientBase): boolean => {
  const { _queryable, _ending, connection } = client as unknown as Internals
  return !_queryable || _ending || connection.stream.destroyed
}

/** The error of a connection that could not be opened, which is never the fault of a request. */
export const unreachable = (error: unknown): Unavailable =>
  error instanceof Unavailable ? error : new Unavailable(undefined, error)

/** Unavailable where the connection or the server caused an error, so that the response is 503; otherwise the error itself. */
export function meaningOf(error: unknown, client: pg.ClientBase): unknown {
  if (!(error instanceof pg.DatabaseError)) return isLost(client) ? unreachable(error) : error
  const { code = '', severity = '' } = error
  const isOutage = CLASSES.has(code.slice(0, 2)) || CODES.has(code) || FATAL.has(severity) || isUnlogged(error)
  return isOutage ? unreachable(error) : error
}

/** Whether the statement read an unlogged table, such as the home feeds, on a standby, which has none. */
const isUnlogged = (error: pg.DatabaseError): boolean => error.code === '0A000' && error.routine === 'get_relation_info'

/** Whether the server refuses writes: after a failover, a new connection may reach the primary. */
export function isReadOnly(error: unknown): boolean {
  const { cause } = error as Error
  return cause instanceof pg.DatabaseError && (cause.code === '25006' || isUnlogged(cause))
}
