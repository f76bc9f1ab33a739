// Connections that many single statements share, reads and writes. Transactions have connections of their own.
import pg from 'pg'
import { isReadOnly, mapDatabaseError, streamOf, unreachable } from './connection-loss.ts'

/** What statements mean and how their results are written, whatever the administrator has set for the role or the database. */
const MEANING = [
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'postgres'",
  "bytea_output = 'hex'",
  'extra_float_digits = 1',
  'standard_conforming_strings = on',
  'transform_null_equals = off',
  'array_nulls = on',
  'gin_fuzzy_search_limit = 0',
  "default_transaction_isolation = 'read committed'",
]
  .map((setting) => `set ${setting}; `)
  .join('')

/**
 * Sent together with the first statement. Poolers such as PgBouncer refuse settings in the connection's start-up packet. When the
 * connection is lost, that statement fails, too.
 */
export function applySettings(client: pg.ClientBase, settings: string): void {
  client.query(`${MEANING}${settings}`).catch(() => {})
}

/**
 * Statements of one turn of the event loop share one write, as each write wakes a process of PostgreSQL, which costs more than
 * most statements. Throws Unavailable when the connection is lost.
 */
export function send(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const stream = streamOf(client)
  if (stream.writableCorked === 0) {
    stream.cork()
    setImmediate(() => stream.uncork())
  }
  return client.query(query).catch((error: unknown) => {
    throw mapDatabaseError(error, client)
  })
}

export type SharedConnection = {
  /** Statements without a result yet. */
  pending: number
  run(query: pg.QueryConfig): Promise<pg.QueryResult>
  close(): Promise<void>
}

/** Opens with the first statement, and again with the first one after a loss. */
export function openSharedConnection(
  connection: pg.ClientConfig,
  settings: string,
  track: (client: pg.Client) => void,
  onError: (error: Error) => void,
): SharedConnection {
  let current: Promise<pg.Client> | null = null
  const open = (): Promise<pg.Client> => {
    const client = new pg.Client({ ...connection, pipeline: true } as pg.ClientConfig)
    const opening: Promise<pg.Client> = client.connect().then(
      () => client,
      (error: unknown) => {
        discard()
        throw unreachable(error)
      },
    )
    // When this connection ends, another may have replaced it.
    const discard = (): void => {
      if (current === opening) current = null
    }
    client.on('error', (error) => {
      discard()
      onError(error)
    })
    client.on('end', discard)
    track(client)
    applySettings(client, settings)
    return opening
  }
  return {
    pending: 0,
    async run(query) {
      this.pending++
      const opening = (current ??= open())
      try {
        return await send(await opening, query)
      } catch (error) {
        if (isReadOnly(error) && current === opening) {
          current = null
          void opening.then((client) => client.end())
        }
        throw error
      } finally {
        this.pending--
      }
    },
    async close() {
      const client = await current?.catch(() => null)
      await client?.end()
    },
  }
}

type SharedConnections = {
  run(query: pg.QueryConfig, plannedByValue?: boolean): Promise<pg.QueryResult>
  pending(): number
  close(): Promise<void>
}

/** `connections`: for statements with one plan. `byValue`: for those that are planned by value. */
export function openSharedConnections(
  connections: readonly SharedConnection[],
  byValue: SharedConnection,
): SharedConnections {
  const all = [...connections, byValue]
  return {
    run(query, plannedByValue) {
      if (plannedByValue) return byValue.run(query)
      // The connection with the fewest pending statements, so that a slow one delays few others.
      let best = connections[0] as SharedConnection
      for (const candidate of connections) if (candidate.pending < best.pending) best = candidate
      return best.run(query)
    },
    pending: () => all.reduce((sum, each) => sum + each.pending, 0),
    async close() {
      await Promise.all(all.map((each) => each.close()))
    },
  }
}
