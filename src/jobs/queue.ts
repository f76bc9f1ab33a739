import { randomUUID } from 'node:crypto'
import { PgBoss, type ConnectionOptions, type JobInsert } from 'pg-boss'
import type { Database, Queryable } from '../db/database.ts'
import { startAlarm, type Alarm } from './alarm.ts'
import { currentCause } from '../lib/cause.ts'
import type { EnqueueOptions, JobData, JobName } from './kinds.ts'
import { HEARTBEAT, persistent, takeUpLost } from './outage.ts'

type IDatabase = NonNullable<ConnectionOptions['db']>
type QueueSettings = { retryLimit: number; retryDelay: number; retryDelayMax?: number; expireInSeconds: number }

/** The kinds of which no second job with the same key waits. To change this for a kind takes a migration. */
const KEYED: ReadonlySet<JobName> = new Set([
  'federation.thread',
  'federation.refresh',
  'federation.quote',
  'federation.synchronize',
  'polls.tell',
  'polls.refresh',
  'media.cache',
  'media.probe',
])
/** The kinds that read from other servers: what caused them is stored with them. */
export const CAUSED = /^(federation\.(?!deliver|distribute)|media\.cache|cards|accounts\.verify-links|polls\.refresh)/
/** Any constant: the advisory lock that every process which works off jobs holds together with the others. */
const WORKING = 0x6a6f6273

/** The shortest delay after which a failed job is tried again, in milliseconds. */
const SOON = 1000

const QUICK: QueueSettings = { retryLimit: 5, retryDelay: 5, retryDelayMax: 600, expireInSeconds: 120 }
const LONG: QueueSettings = { retryLimit: 5, retryDelay: 30, retryDelayMax: 3600, expireInSeconds: 900 }

/** How often each kind is tried again. Deliveries go on for about two days, doubling up to six hours. */
const QUEUES: Record<JobName, QueueSettings> = {
  'federation.distribute': QUICK,
  'federation.deliver': { retryLimit: 18, retryDelay: 15, retryDelayMax: 21_600, expireInSeconds: 120 },
  'federation.receive': { retryLimit: 8, retryDelay: 10, retryDelayMax: 3600, expireInSeconds: 120 },
  'federation.thread': { retryLimit: 3, retryDelay: 30, expireInSeconds: 300 },
  'federation.replies': { retryLimit: 1, retryDelay: 60, expireInSeconds: 300 },
  'federation.refresh': { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 },
  'federation.synchronize': { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 },
  'media.cache': { retryLimit: 3, retryDelay: 60, expireInSeconds: 300 },
  'media.probe': { retryLimit: 2, retryDelay: 300, expireInSeconds: 120 },
  'media.process': { retryLimit: 4, retryDelay: 10, retryDelayMax: 120, expireInSeconds: 3600 },
  'fanout.home': QUICK,
  'fanout.merge': QUICK,
  'fanout.rebuild': QUICK,
  'fanout.tags': QUICK,
  'notifications.merge': QUICK,
  'notifications.sign-up': QUICK,
  'push.send': { retryLimit: 10, retryDelay: 10, retryDelayMax: 3600, expireInSeconds: 60 },
  'federation.quote': { retryLimit: 3, retryDelay: 60, retryDelayMax: 3600, expireInSeconds: 300 },
  'federation.approval': { retryLimit: 3, retryDelay: 60, retryDelayMax: 3600, expireInSeconds: 120 },
  'statuses.publish': { retryLimit: 10, retryDelay: 1, retryDelayMax: 600, expireInSeconds: 120 },
  'polls.close': QUICK,
  'polls.tell': QUICK,
  'polls.refresh': { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 },
  'cards.fetch': { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 },
  'languages.detect': { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 },
  'search.account': QUICK,
  'portability.import': { retryLimit: 20, retryDelay: 30, retryDelayMax: 3600, expireInSeconds: 900 },
  'portability.archive': { retryLimit: 3, retryDelay: 60, retryDelayMax: 3600, expireInSeconds: 4 * 3600 },
  'portability.followers': LONG,
  'portability.sweep': LONG,
  'mail.send': { retryLimit: 10, retryDelay: 15, retryDelayMax: 3600, expireInSeconds: 120 },
  'accounts.verify-links': { retryLimit: 2, retryDelay: 60, expireInSeconds: 120 },
  'accounts.annual-report': QUICK,
  'instance.sweep': LONG,
}

export type Queue = {
  /** Adds a job, as part of the transaction of `db`. */
  add<Name extends JobName>(db: Queryable, name: Name, data: JobData[Name], options?: EnqueueOptions): Promise<void>
  /** Adds many jobs of one kind with one statement. */
  addMany<Name extends JobName>(db: Queryable, name: Name, data: JobData[Name][]): Promise<void>
  /** The library underneath, for the worker. */
  boss: PgBoss
  /** Tells that a job failed: when it is due again will be looked up. */
  failed(): void
  /** Waits until no job is ready or under way (delayed ones do not count). For tests, and for stopping. */
  stop(): Promise<void>
}

/**
 * Opens the queue over our own connections, creating its tables on first use. A command only adds jobs: it neither looks
 * after the queue nor listens.
 */
export async function openQueue(
  db: Database,
  part: 'server' | 'command',
  onError: (error: Error) => void,
): Promise<Queue> {
  const works = part === 'server'
  let alarm: Alarm | null = null
  const listen = listenOn(db, onError)
  const { run, stop: stopRepeating } = persistent(db)
  const boss = new PgBoss({
    db: {
      executeSql: run,
      // What wakes the workers of a kind when a job is added wakes them, too, when one comes due.
      listen(channel, wake, onReconnect) {
        alarm ??= startAlarm(db, wake, onError)
        return listen(channel, wake, onReconnect)
      },
    },
    useListenNotify: works,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 60,
    // What happens by itself does so every hour, and chains of jobs we have none: the library need not look often.
    cronWorkerIntervalSeconds: 30,
    flowIntervalSeconds: 3600,
    persistWarnings: false,
  })
  boss.on('error', onError)
  if (works) await takeUpAbandoned(db)
  await boss.start()
  await declareQueues(boss, works)
  // The statement of a kind is always the same: prepared like our own, since to plan it takes longer than to run it.
  const on = (queryable: Queryable): IDatabase => ({
    executeSql: async (text, values) => ({ rows: await queryable.many({ strings: [text], values: values ?? [] }) }),
  })
  // Where keys count, jobs without one must not count as having the same.
  const keyFor = (name: JobName, key: string | undefined): { singletonKey?: string } =>
    key || KEYED.has(name) ? { singletonKey: key ?? randomUUID() } : {}
  return {
    boss,
    async add(queryable, name, data, options = {}) {
      await boss.send(name, withCause(name, data), {
        db: on(queryable),
        ...(options.delay ? { startAfter: options.delay } : {}),
        ...(options.at ? { startAfter: options.at } : {}),
        ...(options.group ? { group: { id: options.group } } : {}),
        ...(options.priority ? { priority: options.priority } : {}),
        ...keyFor(name, options.key),
      })
      if (options.delay) alarm?.set(Date.now() + options.delay * 1000)
      if (options.at) alarm?.set(options.at.getTime())
    },
    async addMany(queryable, name, data) {
      if (data.length > 0)
        await boss.insert(
          name,
          data.map((item): JobInsert => ({ data: withCause(name, item), ...keyFor(name, undefined) })),
          { db: on(queryable) },
        )
    },
    failed: () => alarm?.set(Date.now() + SOON),
    async stop() {
      alarm?.stop()
      stopRepeating()
      await boss.stop({ graceful: true, timeout: 10_000, close: false })
    },
  }
}

function withCause(name: JobName, data: object): object {
  const cause = CAUSED.test(name) ? currentCause() : null
  return cause === null ? data : { ...data, cause }
}

/** Makes the queues that are missing; with `update`, gives the others the settings that they have here. */
async function declareQueues(boss: PgBoss, update: boolean): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const declare = async ([name, settings]: [string, QueueSettings]): Promise<void> => {
    const queue = {
      ...settings,
      retryBackoff: true,
      notify: true,
      heartbeatSeconds: HEARTBEAT,
      deleteAfterSeconds: 3600,
      retentionSeconds: 14 * 86_400,
    }
    const as = known.get(name)
    if (!as) await boss.createQueue(name, { ...queue, policy: KEYED.has(name as JobName) ? 'short' : 'standard' })
    else if (update && Object.entries(queue).some(([key, value]) => as[key as keyof typeof as] !== value))
      await boss.updateQueue(name, queue)
  }
  await Promise.all(Object.entries(QUEUES).map(declare))
}

/**
 * What was under way in a process that was killed is taken up again: at once when nobody else works on this database, and
 * otherwise when its heartbeat has been missed for a while, since it may be theirs.
 */
async function takeUpAbandoned(db: Database): Promise<void> {
  const client = await db.dedicated()
  try {
    const { rows } = await client.query<{ alone: boolean }>(
      `select to_regclass('pgboss.job') is not null and pg_try_advisory_lock($1) as alone`,
      [WORKING],
    )
    if (rows[0]?.alone)
      await client.query(
        `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
      )
  } finally {
    await client.end()
  }
}

/**
 * LISTEN on a connection of its own, opened again when lost: how waiting workers learn of new jobs at once. It also holds
 * the lock that says that this process works.
 */
function listenOn(db: Database, onError: (error: Error) => void): NonNullable<IDatabase['listen']> {
  return async (channel, onNotification, onReconnect) => {
    let closed = false
    let client: Awaited<ReturnType<Database['dedicated']>> | null = null
    const open = async (): Promise<void> => {
      client = await db.dedicated()
      client.on('notification', (message) => onNotification(message.payload ?? ''))
      try {
        await client.query('select pg_advisory_lock_shared($1)', [WORKING])
        await client.query(`listen ${client.escapeIdentifier(channel)}`)
      } catch (error) {
        // A standby refuses to listen: the connection would be left open beside the next one.
        void client.end().catch(() => {})
        throw error
      }
      // From here on: what is lost before is opened again by whoever wanted it, and would be opened twice.
      client.on('end', () => {
        if (!closed) setTimeout(retry, 1000).unref()
      })
      onReconnect()
    }
    const retry = (): void => {
      open().then(
        () => takeUpLost(db, onError),
        () => {
          if (!closed) setTimeout(retry, 1000).unref()
        },
      )
    }
    await open()
    return {
      async close() {
        closed = true
        await client?.end()
      },
    }
  }
}
