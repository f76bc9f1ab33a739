import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { mapDatabaseError } from '../db/connection-loss.ts'
import type { Database } from '../db/database.ts'
import { Unavailable } from '../lib/errors.ts'
import { lruCache } from '../lib/lru-cache.ts'

/**
 * Processes exchange these messages after a commit. They contain ids only; a receiver reads what it needs. A lost message loses
 * a live update or leaves a cache outdated until its entry expires, but loses no data.
 */
export type BusMessage =
  /** `more`: the status was added to further home feeds, after the first thousands. The public feeds have it already. */
  | { type: 'status.new'; id: string; more?: true }
  /** `unmentioned`: the edit stopped mentioning these accounts, which may no longer see the status. */
  | { type: 'status.edited'; id: string; unmentioned?: string[] }
  /**
   * `remainingIn`: accounts with the status in their home feed, and mentioned ones. Long lists are split into several messages.
   */
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
  /** Accepted requests: their notifications joined the others. */
  | { type: 'notifications.merged'; accountId: string }
  | { type: 'filters.changed'; accountId: string }
  | { type: 'encrypted_message.new'; id: string; accountId: string; tokenId: string }
  /** The last status of the conversation changed, or the account read it. */
  | { type: 'conversation.changed'; id: string; accountId: string }
  /** The tokens were revoked, or their users may no longer act: their streams close. */
  | { type: 'tokens.gone'; tokenIds: string[] }
  /** A user or account with tokens changed: its streams are checked. */
  | { type: 'user.changed'; userId: string }
  /** A published announcement, new or with another text. */
  | { type: 'announcement.published'; id: string }
  | { type: 'announcement.reaction'; id: string; name: string }
  /** The announcement was deleted or taken down. */
  | { type: 'announcement.deleted'; id: string }
  /** Settings, or blocks of addresses: these hold also for requests that do not read the change log. */
  | { type: 'settings.changed' }

export type BusHandler = (message: BusMessage) => void

export type Bus = {
  /** Reaches all processes; this one synchronously. */
  publish(...messages: BusMessage[]): void
  subscribe(handler: BusHandler): () => void
  close(): Promise<void>
}

const CHANNEL = 'rookery'
/** Between two NOTIFYs, as these serialise commits. Messages that come meanwhile share the next one. */
const PAUSE_MS = 10
const RECONNECT_MS = 500
/** A NOTIFY payload holds at most 8000 bytes. */
const MAX_BYTES = 7500
/** Messages that wait while there is no connection. */
const MAX_WAITING = 10_000
/** Milliseconds for which sent payloads stay in memory, and how many, in case another process has to receive them again. */
const RECENT_MS = 60_000
const MAX_RECENT = 1000
const RESEND_DELAY_MS = 100
/** Payloads that a receiver remembers, to recognise repeated ones. */
const MAX_KNOWN = 20_000

/**
 * Uses LISTEN/NOTIFY on one dedicated connection, which reopens after a loss. The others then send their last messages again, as
 * some may have connected earlier, such as after a failover, and have sent messages meanwhile.
 */
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
  #sentAt = -PAUSE_MS
  #closed = false
  #client: pg.Client | null = null
  #wasConnected = false
  #count = 0
  #sent: { at: number; payload: string }[] = []
  #resending: NodeJS.Timeout | null = null
  readonly #received = lruCache<string, true>({ max: MAX_KNOWN, ttl: 2 * RECENT_MS })

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
    if (this.#resending) clearTimeout(this.#resending)
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
    // The process began to end while this connection was opened.
    if (this.#closed) return client.end()
    // Not earlier: until now the caller retries, and a second retry would open two connections.
    client.on('end', () => {
      this.#client = null
      if (!this.#closed) this.#reconnect()
    })
    this.#client = client
    if (this.#wasConnected) await this.#notify(client, [JSON.stringify([this.#origin, []])])
    this.#wasConnected = true
    this.#scheduleFlush()
  }

  #reconnect(): void {
    setTimeout(() => {
      if (!this.#closed) this.connect().catch(() => this.#reconnect())
    }, RECONNECT_MS).unref()
  }

  #receive(payload: string | undefined): void {
    try {
      const [from, messages, number] = JSON.parse(payload ?? '[]') as [string, BusMessage[], number?]
      if (from === this.#origin) return
      if (messages.length === 0) return this.#scheduleResend()
      const name = `${from} ${number}`
      if (this.#received.has(name)) return
      if (number !== undefined) this.#received.set(name, true)
      for (const message of messages) this.#deliver(message)
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
    if (this.#waiting.length === 0) return
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#sentAt + PAUSE_MS - performance.now()))
  }

  async #flush(): Promise<void> {
    const messages = this.#waiting
    this.#waiting = []
    this.#sentAt = performance.now()
    const payloads = [...packMessages(messages)].map((batch) => JSON.stringify([this.#origin, batch, ++this.#count]))
    const sent = this.#client && (await this.#notify(this.#client, payloads))
    if (sent) this.#remember(payloads)
    // The newest messages wait for the next connection. Repeated messages are harmless.
    if (!sent) this.#waiting = [...messages, ...this.#waiting].slice(-MAX_WAITING)
    this.#timer = null
    // The listening connection takes one statement at a time.
    if (sent && !this.#closed) this.#scheduleFlush()
  }

  /** Drops payloads that are no longer recent. */
  #remember(payloads: readonly string[]): void {
    const at = performance.now()
    const recent = [...this.#sent, ...payloads.map((payload) => ({ at, payload }))].slice(-MAX_RECENT)
    this.#sent = recent.filter((sent) => sent.at > at - RECENT_MS)
  }

  /** Waits for a moment: several processes that have lost their connections together share a resend. */
  #scheduleResend(): void {
    this.#resending ??= setTimeout(() => {
      this.#resending = null
      this.#remember([])
      if (this.#client && this.#sent.length > 0)
        void this.#notify(
          this.#client,
          this.#sent.map(({ payload }) => payload),
        )
    }, RESEND_DELAY_MS).unref()
  }

  /** False when the connection was lost; true when the payloads were sent, or can never be sent. */
  async #notify(client: pg.Client, payloads: string[]): Promise<boolean> {
    try {
      await client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads])
      return true
    } catch (error) {
      this.#onError(error as Error)
      return !(mapDatabaseError(error, client) instanceof Unavailable)
    }
  }
}

function* packMessages(messages: BusMessage[]): Generator<BusMessage[]> {
  let batch: BusMessage[] = []
  let size = 0
  for (const message of messages) {
    const bytes = Buffer.byteLength(JSON.stringify(message)) + 1
    if (size + bytes > MAX_BYTES && batch.length > 0) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(message)
    size += bytes
  }
  if (batch.length > 0) yield batch
}
