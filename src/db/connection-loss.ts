import pg from 'pg'
import { Unavailable } from '../lib/errors.ts'

/**
 * SQLSTATE classes that a server or connection problem causes: connection, resources (memory, disk, connections), system errors.
 */
const CLASSES = new Set(['08', '53', '58'])
/**
 * Shutdown, crash, start-up, dropped database and idle session (57P01 to 57P05), a cancelled statement, a transaction that the
 * server ended because it was idle or long, and a read-only server: a standby, or a former primary.
 */
const CODES = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '57014', '25P03', '25P04', '25006'])
/** PostgreSQL closes the connection after an error of these severities. */
const FATAL = new Set(['FATAL', 'PANIC'])

/** Private members of `pg`, which tell whether a client still accepts statements. */
type Internals = { _queryable: boolean; _ending: boolean; connection: { stream: { destroyed: boolean } } }

const isLost = (client: pg.ClientBase): boolean => {
  const { _queryable, _ending, connection } = client as unknown as Internals
  return !_queryable || _ending || connection.stream.destroyed
}

export const unreachable = (error: unknown): Unavailable =>
  error instanceof Unavailable ? error : new Unavailable(undefined, error)

/** Turns an error that the connection or the server caused into Unavailable (503), and returns any other unchanged. */
export function meaningOf(error: unknown, client: pg.ClientBase): unknown {
  if (!(error instanceof pg.DatabaseError)) return isLost(client) ? unreachable(error) : error
  const { code = '', severity = '' } = error
  const isOutage = CLASSES.has(code.slice(0, 2)) || CODES.has(code) || FATAL.has(severity) || isUnlogged(error)
  return isOutage ? unreachable(error) : error
}

/** A standby has no unlogged tables, such as the home feeds. */
const isUnlogged = (error: pg.DatabaseError): boolean => error.code === '0A000' && error.routine === 'get_relation_info'

/** After a failover, a new connection may reach the primary. */
export function isReadOnly(error: unknown): boolean {
  const { cause } = error as Error
  return cause instanceof pg.DatabaseError && (cause.code === '25006' || isUnlogged(cause))
}
