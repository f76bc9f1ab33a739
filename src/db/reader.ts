// Connections that many statements share, and how they end when the database has vanished.
import type { Writable } from 'node:stream'
import pg from 'pg'
import { isReadOnly, meaningOf, unreachable } from './connection-loss.ts'

/**
 * Sent together with the first statement. Poolers such as PgBouncer refuse settings in the connection's start-up packet. When the
 * connection is lost, that statement fails, too.
 */
export function applySettings(client: pg.ClientBase, settings: string): void {
  client.query(settings).catch(() => {})
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
    throw meaningOf(error, client)
  })
}

/** Milliseconds between probes of a database that may vanish. One that two later turns find unanswered means that it has. */
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

const streamOf = (client: pg.ClientBase): Writable =>
  (client as unknown as { connection: { stream: Writable } }).connection.stream

/**
 * Calls `lose` when the database does not answer. The system would wait for a quarter of an hour before it gave up a connection,
 * and all requests with it. Counts turns of a timer, not time: a busy or suspended process has had no chance to read the answer.
 */
export function watch(probe: () => Promise<unknown>, lose: () => void): () => void {
  let turns: number | null = null
  const timer = setInterval(() => {
    if (turns !== null) return void (++turns === 2 && lose())
    turns = 0
    probe()
      .catch(() => {})
      .finally(() => (turns = null))
  }, PROBE_MS).unref()
  return () => clearInterval(timer)
}

export type Reader = { pending: number; run(query: pg.QueryConfig): Promise<pg.QueryResult>; close(): Promise<void> }

export function reader(
  connection: pg.ClientConfig,
  settings: string,
  track: (client: pg.Client) => void,
  onError: (error: Error) => void,
): Reader {
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
