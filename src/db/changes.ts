import { isReadOnly } from './connection-loss.ts'
import type { Database, Queryable } from './database.ts'
import { sql } from './sql.ts'

/**
 * Kinds of changes: of a status, its quote or media; its counters or poll (`status-count`); the list of its replies; a preview
 * card; an account or its user; the counters of an account; a token; what an account did with a status (`mark`); blocks, mutes,
 * follows and exclusive lists (`relation`); the filters of an account; settings and custom emojis; blocks of addresses;
 * administrators' webhooks; the running fan-outs.
 */
const CHANGE_KINDS = [
  'status',
  'status-count',
  'reply',
  'card',
  'account',
  'account-count',
  'token',
  'mark',
  'relation',
  'filter',
  'setting',
  'ip-block',
  'webhook',
  'fan-out',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** `ids`: the changed ids; for marks, pairs of an account and a status, where the status 0 stands for all. Null: everything. */
type Listener = (ids: readonly string[] | null) => void

/** After this long without a read of the log, entries may be gone: caches start again. */
const MAX_PAUSE_MS = 4 * 60_000
/** Entries stay at least twice as long as this. */
const PRUNE_MS = 5 * 60_000

/** Entries to read at once. When there are more, it costs less to start the caches again, and other requests wait less. */
const MAX_ENTRIES = 10_000

/** A position in the log: the transactions that had ended when it was taken. */
type Snapshot = { text: string; next: string; running: string[] }

/**
 * Tells caches what changed in the database. Triggers append entries to the table `changes` in the transaction that changes rows
 * (migration 0038). `catchUp` reads the entries that committed since the last time, in any process. So what is cached after it
 * is as fresh as the database, without messages between processes.
 */
export class ChangeLog {
  readonly #db: Database
  readonly #onError: (error: Error) => void
  readonly #listeners = new Map<ChangeKind, Set<Listener>>()
  #seen: Snapshot | null = null
  #seenAt = 0
  /** The ids of the log: see `#begin`. */
  #logIds = ''
  #beginning = false
  /** The value of `Database.writes` at the last read: the writes of this process that it has covered. */
  #coveredWrites = 0
  #running: Promise<void> | null = null
  /** The running read, until the end of this turn of the event loop: its statement is sent only then. */
  #unsent: Promise<void> | null = null
  #next: Promise<void> | null = null
  #prunedAt = Date.now()
  #pruneBefore: Snapshot[] = []

  constructor(db: Database, onError: (error: Error) => void) {
    this.#db = db
    this.#onError = onError
  }

  on(kind: ChangeKind, listener: Listener): void {
    const known = this.#listeners.get(kind)
    if (known) known.add(listener)
    else this.#listeners.set(kind, new Set([listener]))
  }

  removeListeners(): void {
    this.#listeners.clear()
  }

  /**
   * Afterwards, caches contain nothing that is older than this call. Calls of one turn of the event loop share a statement, and
   * those that arrive while it is on its way share the next one. Throws Unavailable when the database cannot be reached.
   */
  catchUp(): Promise<void> {
    if (this.#unsent) return this.#unsent
    if (!this.#running) return this.#start()
    // Responses that waited for the running read go out first: clients that send their next request at once share the next read.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => new Promise(setImmediate))
      .then(() => this.#continue())
    return this.#next
  }

  /** Catches up if this process has written since. For what a request shows after its own changes. */
  async catchUpAfterWrites(): Promise<void> {
    if (this.#db.writes !== this.#coveredWrites) await this.catchUp()
  }

  #continue(): Promise<void> {
    this.#next = null
    return this.#start()
  }

  #start(): Promise<void> {
    // Before the statement is sent at the end of this turn (`send` in shared-connection.ts): immediates run in order.
    setImmediate(() => (this.#unsent = null))
    return (this.#unsent = this.#running = this.#read())
  }

  async #read(): Promise<void> {
    const { writes } = this.#db
    const sentAt = Date.now()
    const since = this.#seen && sentAt - this.#seenAt < MAX_PAUSE_MS ? this.#seen : null
    try {
      const found = await this.#db.readChangeLog<{ snapshot: string; fresh: string[]; late: string[] }>(sql`
        select pg_current_snapshot()::text as snapshot,
          array(select kind || ' ' || coalesce(array_to_string(ids, ' '), '') from changes where xid >= ${since?.next ?? NEVER}::xid8 limit ${MAX_ENTRIES + 1}::int) as fresh,
          array(select kind || ' ' || coalesce(array_to_string(ids, ' '), '') from changes where xid = any(${[LOG_XID, ...(since?.running ?? [])]}::xid8[])) as late`)
      const logIds = found.late.filter((entry) => entry.startsWith(LOG_ID)).join()
      const entries = [...found.fresh, ...found.late]
      if (!since || logIds === '' || logIds !== this.#logIds || entries.length > MAX_ENTRIES) this.#invalidateAll()
      else for (const entry of entries) this.#deliver(entry)
      if (found.snapshot !== this.#seen?.text) this.#seen = parseSnapshot(found.snapshot)
      this.#logIds = logIds
      if (logIds === '') this.#begin()
      this.#seenAt = sentAt
      this.#coveredWrites = writes
    } catch (error) {
      if (!isReadOnly(error)) throw error
      // A standby has no unlogged tables, and so no log: each request reads everything.
      this.#seen = null
      this.#invalidateAll()
    } finally {
      if (!this.#next) this.#running = null
    }
    if (this.#seen && sentAt - this.#prunedAt > PRUNE_MS) this.#prune(this.#seen, sentAt)
  }

  /**
   * A crash of PostgreSQL, even of one of its backends, empties the log, as its table is unlogged. So does a failover. Entries
   * that were not read yet are lost then. A random id in the log shows whether it is still the same one.
   */
  #begin(): void {
    if (this.#beginning) return
    this.#beginning = true
    this.#db
      .run(
        sql`insert into changes (xid, kind, ids) values (${LOG_XID}, ${LOG_ID}, array[(random() * ${Number.MAX_SAFE_INTEGER}::float)::bigint])`,
      )
      .catch(this.#onError)
      .finally(() => (this.#beginning = false))
  }

  #deliver(entry: string): void {
    const [kind, ...ids] = entry.split(' ')
    const changed = ids[0] === '' ? null : ids
    for (const listener of this.#listeners.get(kind as ChangeKind) ?? []) listener(changed)
  }

  #invalidateAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null)
  }

  /** Deletes entries that all processes have read: those that were visible two prunes ago. */
  #prune(seen: Snapshot, now: number): void {
    this.#prunedAt = now
    this.#pruneBefore.push(seen)
    if (this.#pruneBefore.length < 3) return
    const [{ text }] = this.#pruneBefore.splice(0, 1) as [Snapshot]
    this.#db
      .run(sql`delete from changes where xid > ${LOG_XID} and xid < pg_snapshot_xmin(${text}::pg_snapshot)`)
      .catch(this.#onError)
  }
}

/** Makes all caches of all processes read everything again. */
export async function invalidateAllCaches(db: Queryable): Promise<void> {
  await db.run(sql`insert into changes (kind) select unnest(${CHANGE_KINDS}::text[])`)
}

/** The transaction id of the entry with the id of the log: lower than all that are ever used. */
const LOG_XID = '0'
const LOG_ID = 'log'

/** Higher than all transaction ids that are ever used. */
const NEVER = '9223372036854775807'

/** Parses PostgreSQL's text form: `xmin:xmax:xip,xip`. */
function parseSnapshot(text: string): Snapshot {
  const [, next = NEVER, running = ''] = text.split(':')
  return { text, next, running: running === '' ? [] : running.split(',') }
}
