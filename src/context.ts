import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FetchGate } from './net/gate.ts'
import type { Bus, BusHandler, BusMessage } from './bus/bus.ts'
import type { Config } from './config.ts'
import type { ChangeLog } from './db/changes.ts'
import type { Database, Queryable, TransactionOptions } from './db/database.ts'
import type { FileStore } from './files/store.ts'
import type { EnqueueOptions, JobData, JobName } from './jobs/kinds.ts'
import type { Queue } from './jobs/queue.ts'
import type { Log } from './lib/log.ts'

export type Context = {
  config: Config
  log: Log
  fetch: FetchGate
  files: FileStore
  /** One object per running server: the key of its caches. */
  server: object
  db: Queryable
  /** Says which cached rows have changed. */
  changes: ChangeLog
  /** Whether `db` is a transaction, which sees rows that nothing may cache. */
  isTransaction: boolean
  /**
   * Runs `work` in a transaction, or in the current one. Publishes messages after the commit. `work` may run again after a
   * deadlock, so it must change only the database.
   */
  transaction<T>(work: (tx: Context) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Reaches all processes; in a transaction, after the commit. */
  publish(...messages: BusMessage[]): void
  /**
   * In a transaction, after the commit: no row then names a file that is gone. As the rows have changed, it never throws: a job
   * deletes what the file store does not delete now.
   */
  deleteFiles(keys: readonly string[]): Promise<void>
  subscribe(handler: BusHandler): () => void
  enqueue<Name extends JobName>(name: Name, data: JobData[Name], options?: EnqueueOptions): Promise<void>
  /** One statement, in the same transaction. `keyOf`: the key of each job, as in `EnqueueOptions`. */
  enqueueMany<Name extends JobName>(
    name: Name,
    data: JobData[Name][],
    keyOf?: (data: JobData[Name]) => string,
  ): Promise<void>
}

export type Infrastructure = {
  config: Config
  log: Log
  fetch: FetchGate
  files: FileStore
  database: Database
  changes: ChangeLog
  queue: Queue
  bus: Bus
  deleteFiles: Context['deleteFiles']
}

/** A deadlock and a failed serialisation. */
const RETRIED_CODES = new Set(['40P01', '40001'])
const MAX_ATTEMPTS = 4
/**
 * Milliseconds before a second attempt, at most; further attempts wait longer. At random: those that fail together would meet
 * again, and others wait for both.
 */
const RETRY_DELAY = 40

export function makeContext(parts: Infrastructure): Context {
  const { database, queue, bus } = parts
  const base = {
    config: parts.config,
    log: parts.log,
    fetch: parts.fetch,
    files: parts.files,
    server: {},
    changes: parts.changes,
    isTransaction: false,
    subscribe: (handler: BusHandler) => bus.subscribe(handler),
  }
  const over = (db: Queryable): Pick<Context, 'db' | 'enqueue' | 'enqueueMany'> => ({
    db,
    enqueue: (name, data, options) => queue.add(db, name, data, options),
    enqueueMany: (name, data, keyOf) => queue.addMany(db, name, data, keyOf),
  })
  const attempt = async <T>(work: (tx: Context) => Promise<T>, options?: TransactionOptions): Promise<T> => {
    const messages: BusMessage[] = []
    const files: string[] = []
    const result = await database.transaction((db) => {
      const tx: Context = {
        ...base,
        ...over(db),
        isTransaction: true,
        transaction: (inner) => inner(tx),
        publish: (...more) => void messages.push(...more),
        deleteFiles: async (keys) => void files.push(...keys),
      }
      return work(tx)
    }, options)
    if (messages.length > 0) bus.publish(...messages)
    await parts.deleteFiles(files)
    return result
  }
  return {
    ...base,
    ...over(database),
    publish: (...messages) => bus.publish(...messages),
    deleteFiles: parts.deleteFiles,
    async transaction(work, options) {
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt(work, options)
        } catch (error) {
          if (attempts >= MAX_ATTEMPTS || !RETRIED_CODES.has((error as { code?: string }).code ?? '')) throw error
          await delay(attempts * randomInt(RETRY_DELAY))
        }
      }
    },
  }
}

const serverStates = new Set<WeakMap<object, unknown>>()

/** State that is created on first use. In tests, several servers share a process. */
export function perServer<T>(make: (ctx: Context) => T): (ctx: Context) => T {
  const states = new WeakMap<object, T>()
  serverStates.add(states)
  return (ctx) => {
    let state = states.get(ctx.server)
    if (state === undefined) states.set(ctx.server, (state = make(ctx)))
    return state
  }
}

/** For tests, which empty the database of a server. */
export function clearServerState(ctx: Context): void {
  for (const states of serverStates) states.delete(ctx.server)
  // All of them are such state, and would keep it in memory.
  ctx.changes.removeListeners()
}
