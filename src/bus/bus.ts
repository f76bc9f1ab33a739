import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { meaningOf } from '../db/connection-loss.ts'
import type { Database } from '../db/database.ts'
import { Unavailable } from '../lib/errors.ts'

/**
 * The messages between processes after a commit: ids only; a receiver reads what it needs. A lost message loses a live
 * update or leaves a cache outdated until its entry expires, never data.
 */
export type BusMessage =
  /** `more`: added to further home feeds after the first thousands. The public feeds have it already. */
  | { type: 'status.new'; id: string; more?: true }
  /** `unmentioned`: accounts that the edit stopped mentioning, which may no longer be allowed to see the status. */
  | { type: 'status.edited'; id: string; unmentioned?: string[] }
  /** `remainingIn`: accounts with the status in their home feed, and mentioned ones; many are split into several messages. */
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
  /** The notifications of accepted requests were added to the others. */
  | { type: 'notifications.merged'; accountId: string }
  | { type: 'filters.changed'; accountId: string }
  /** A new message for the device of this token. */
  | { type: 'encrypted_message.new'; id: string; accountId: string; tokenId: string }
  /** A direct conversation of this account has a different last status, or was read. */
  | { type: 'conversation.changed'; id: string; accountId: string }
  /** Tokens were revoked, or their users may no longer act: caches drop them, and their streams close. */
  | { type: 'tokens.gone'; tokenIds: string[] }
  /** The user or account behind tokens changed: caches drop it. */
  | { type: 'user.changed'; userId: string }
  | { type: 'settings.changed' }

export type BusHandler = (message: BusMessage) => void

export type Bus = {
  /** Sends messages to all processes, to this one synchronously. */
  publish(...messages: BusMessage[]): void
  /** Calls `handler` with every future message, until the returned function is called. */
  subscribe(handler: BusHandler): () => void
  close(): Promise<void>
}

const CHANNEL = 'rookery'
/** NOTIFY serialises commits, so messages are collected for this long. */
const COLLECT_MS = 10
const RECONNECT_MS = 500
/** A NOTIFY payload holds at most 8000 bytes. */
const MAX_BYTES = 7500
/** Messages that wait for a connection. */
const MAX_WAITING = 10_000

/** A bus over LISTEN/NOTIFY on one dedicated connection, which reopens after a loss. */
export async function openBus(db: Database, onError: (error: Error) => void): Promise<Bus> {
  const bus = new PostgresBus(db, onError)
  await bus.connect()
  return bus
}

class PostgresBus implements Bus {
  readonly #db: Database
  readonly #onError: (error: Error) => void
  readonly #origin = randomUUID()
  readonly #handlers = new Set<BusHandler>()
  #waiting: BusMessage[] = []
  #timer: NodeJS.Timeout | null = null
  #closed = false
  #client: pg.Client | null = null

  constructor(db: Database, onError: (error: Error) => void) {
    this.#db = db
    this.#onError = onError
  }

  publish(...messages: BusMessage[]): void {
    for (const message of messages) this.#deliver(message)
    this.#waiting.push(...messages)
    this.#scheduleFlush()
  }

  subscribe(handler: BusHandler): () => void {
    this.#handlers.add(handler)
    return () => this.#handlers.delete(handler)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) {
      clearTimeout(this.#timer)
      await this.#flush()
    }
    await this.#client?.end()
  }

  async connect(): Promise<void> {
    const client = await this.#db.dedicated()
    client.on('notification', ({ payload }) => this.#receive(payload))
    try {
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      // A standby refuses LISTEN: the connection would stay open beside the next one.
      void client.end().catch(() => {})
      throw error
    }
    // Only from here on: until now the caller retries, and a second retry would open two connections.
    client.on('end', () => {
      this.#client = null
      if (!this.#closed) this.#reconnect()
    })
    this.#client = client
    this.#scheduleFlush()
  }

  #reconnect(): void {
    setTimeout(() => {
      if (!this.#closed) this.connect().catch(() => this.#reconnect())
    }, RECONNECT_MS).unref()
  }

  #receive(payload: string | undefined): void {
    try {
      const [from, messages] = JSON.parse(payload ?? '[]') as [string, BusMessage[]]
      if (from !== this.#origin) for (const message of messages) this.#deliver(message)
    } catch (error) {
      // Any client of the database can send anything on the channel.
      this.#onError(error as Error)
    }
  }

  #deliver(message: BusMessage): void {
    for (const handler of this.#handlers) {
      try {
        handler(message)
      } catch (error) {
        this.#onError(error as Error)
      }
    }
  }

  #scheduleFlush(): void {
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS)
  }

  async #flush(): Promise<void> {
    const messages = this.#waiting
    this.#waiting = []
    const sent = this.#client && (await this.#notify(this.#client, [...packMessages(this.#origin, messages)]))
    // The newest messages wait for the next connection. Repeated messages are harmless.
    if (!sent) this.#waiting = [...messages, ...this.#waiting].slice(-MAX_WAITING)
    this.#timer = null
    // One statement at a time, which the connection that listens requires.
    if (sent && !this.#closed) this.#scheduleFlush()
  }

  /** False when the connection was lost; true when the payloads were sent, or never could be. */
  async #notify(client: pg.Client, payloads: string[]): Promise<boolean> {
    try {
      await client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads])
      return true
    } catch (error) {
      this.#onError(error as Error)
      return !(meaningOf(error, client) instanceof Unavailable)
    }
  }
}

/** Packs messages into as few payloads as possible. */
function* packMessages(origin: string, messages: BusMessage[]): Generator<string> {
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
