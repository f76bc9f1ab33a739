import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { meaningOf } from '../db/connection-loss.ts'
import type { Database } from '../db/database.ts'
import { Unavailable } from '../lib/errors.ts'

const CHANNEL = 'rookery'
/** NOTIFY serialises commits, so messages are gathered for this long, in milliseconds. */
const GATHER = 10
/** A NOTIFY payload holds at most 8000 bytes. */
const MAX_BYTES = 7500
/** How many messages wait for a connection at most. */
const MAX_WAITING = 10_000

export type Bus = {
  /** Tells all processes, this one at once. */
  publish(...messages: BusMessage[]): void
  /** Calls `handler` for every message from now on; gives back how to stop it. */
  subscribe(handler: BusHandler): () => void
  close(): Promise<void>
}

/** A bus over LISTEN/NOTIFY on one dedicated connection, which is opened again when it is lost. */
export async function openBus(db: Database, onError: (error: Error) => void): Promise<Bus> {
  const origin = randomUUID()
  const handlers = new Set<BusHandler>()
  let waiting: BusMessage[] = []
  let timer: NodeJS.Timeout | null = null
  let closed = false
  let client: Awaited<ReturnType<Database['dedicated']>> | null = null

  const deliver = (message: BusMessage): void => {
    for (const handler of handlers) {
      try {
        handler(message)
      } catch (error) {
        onError(error as Error)
      }
    }
  }
  const connect = async (): Promise<void> => {
    const opened = await db.dedicated()
    opened.on('notification', ({ payload }) => {
      try {
        const [from, messages] = JSON.parse(payload ?? '[]') as [string, BusMessage[]]
        if (from !== origin) messages.forEach(deliver)
      } catch (error) {
        // Whoever else uses the database can say anything on the channel.
        onError(error as Error)
      }
    })
    try {
      await opened.query(`listen ${CHANNEL}`)
    } catch (error) {
      // A standby refuses to listen: the connection would be left open beside the next one.
      void opened.end().catch(() => {})
      throw error
    }
    // From here on: what is lost before is opened again by whoever wanted it, and would be opened twice.
    opened.on('end', () => {
      client = null
      if (!closed) again()
    })
    client = opened
    if (waiting.length > 0) timer ??= setTimeout(flush, GATHER)
  }
  const again = (): void => {
    setTimeout(() => {
      if (!closed) connect().catch(again)
    }, 500).unref()
  }
  const flush = async (): Promise<void> => {
    const messages = waiting
    waiting = []
    // One statement whatever the number: they share the connection that listens.
    const sent = client && (await notify(client, [...packed(origin, messages)]))
    // Without a connection the newest messages wait for the next one. Twice is no harm: they only say what to read again.
    if (!sent) waiting = [...messages, ...waiting].slice(-MAX_WAITING)
    // What came meanwhile goes out afterwards: a connection takes one statement at a time.
    timer = sent && waiting.length > 0 && !closed ? setTimeout(flush, GATHER) : null
  }
  /** Whether the payloads are sent, or could never be; false when the connection was lost. */
  const notify = async (on: pg.Client, payloads: string[]): Promise<boolean> => {
    try {
      await on.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads])
      return true
    } catch (error) {
      onError(error as Error)
      return !(meaningOf(error, on) instanceof Unavailable)
    }
  }

  await connect()
  return {
    publish(...messages) {
      messages.forEach(deliver)
      waiting.push(...messages)
      if (waiting.length > 0) timer ??= setTimeout(flush, GATHER)
    },
    subscribe(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    async close() {
      closed = true
      if (timer) {
        clearTimeout(timer)
        await flush()
      }
      await client?.end()
    },
  }
}

function* packed(origin: string, messages: BusMessage[]): Generator<string> {
  let batch: BusMessage[] = []
  let size = 0
  for (const message of messages) {
    const bytes = Buffer.byteLength(JSON.stringify(message)) + 1
    if (size + bytes > MAX_BYTES && batch.length > 0) {
      yield JSON.stringify([origin, batch])
      batch = []
      size = 0
    }
    batch.push(message)
    size += bytes
  }
  if (batch.length > 0) yield JSON.stringify([origin, batch])
}

/**
 * What processes tell each other after a commit: ids only. Who needs more reads it.
 * Losing a message loses a live update or leaves a cache stale until its time is up, never data.
 */
export type BusMessage =
  /** `more`: it was put into further home feeds after the first thousands; public feeds had it already. */
  | { type: 'status.new'; id: string; more?: true }
  /** `unmentioned`: accounts that the edit stopped mentioning, which may not be allowed to see it any more. */
  | { type: 'status.edited'; id: string; unmentioned?: string[] }
  /** `remainingIn`: accounts in whose home feed it was, or whom it mentioned; in several messages where they are many. */
  | {
      type: 'status.deleted'
      id: string
      accountId: string
      visibility: string
      tags: string[]
      local: boolean
      media: boolean
      remainingIn: string[]
    }
  | { type: 'notification.new'; id: string; accountId: string }
  /** What was held back of senders who were let through is among the other notifications. */
  | { type: 'notifications.merged'; accountId: string }
  | { type: 'filters.changed'; accountId: string }
  /** A private message has come for the device of this token. */
  | { type: 'encrypted_message.new'; id: string; accountId: string; tokenId: string }
  /** A conversation of direct posts, one of this account, has another last post, or was read. */
  | { type: 'conversation.changed'; id: string; accountId: string }
  /** Tokens were revoked, or their owner may no longer use them: drop them from caches, close their streams. */
  | { type: 'tokens.gone'; tokenIds: string[] }
  /** The user or account behind tokens changed: read it again. */
  | { type: 'user.changed'; userId: string }
  | { type: 'settings.changed' }

export type BusHandler = (message: BusMessage) => void
