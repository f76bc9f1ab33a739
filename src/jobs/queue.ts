import { randomUUID } from 'node:crypto'
import { PgBoss, type ConnectionOptions, type JobInsert } from 'pg-boss'
import type { Database, Queryable } from '../db/database.ts'
import { currentCause } from '../lib/cause.ts'
import { startDelayedJobTimer, type DelayedJobTimer } from './delayed-jobs.ts'
import { JOB_NAMES, settingsOf, type EnqueueOptions, type JobData, type JobName } from './kinds.ts'
import { HEARTBEAT, persistent, requeueLost } from './outage.ts'
import { STORED_SECONDS } from './overview.ts'

type IDatabase = NonNullable<ConnectionOptions['db']>

/** Advisory lock (any constant) that all processes with workers share. */
export const WORKERS_LOCK = 0x6a6f6273

const MIN_RETRY_DELAY_MS = 1000

export type Queue = {
  /** Joins the transaction of `db`. */
  add<Name extends JobName>(db: Queryable, name: Name, data: JobData[Name], options?: EnqueueOptions): Promise<void>
  /** One statement, in the transaction of `db`. `keyOf`: the key of each job. */
  addMany<Name extends JobName>(
    db: Queryable,
    name: Name,
    data: JobData[Name][],
    keyOf?: (data: JobData[Name]) => string,
  ): Promise<void>
  boss: PgBoss
  /** Call this when a job has failed: otherwise its retry may start some seconds late. */
  wakeForRetry(): void
  /** Finishes running jobs first. */
  stop(): Promise<void>
}

/** Uses the connections of `db`, and creates the tables on first use. Without `runsJobs`, the process only adds jobs. */
export async function openQueue(
  db: Database,
  { runsJobs, onError }: { runsJobs: boolean; onError: (error: Error) => void },
): Promise<Queue> {
  let timer: DelayedJobTimer | null = null
  const listen = listenOn(db, onError)
  const { run, stop: stopRepeating } = persistent(db)
  const boss = createBoss(runsJobs, {
    executeSql: run,
    // The timer wakes workers for delayed jobs as LISTEN does for new ones.
    listen(channel, wake, onReconnect) {
      timer ??= startDelayedJobTimer(db, wake, onError)
      return listen(channel, wake, onReconnect)
    },
  })
  boss.on('error', onError)
  if (runsJobs) await requeueAbandoned(db)
  await boss.start()
  await declareQueues(boss, runsJobs)
  return {
    boss,
    async add(queryable, name, data, options = {}) {
      await boss.send(name, withCause(name, data), {
        db: preparedOn(queryable),
        ...(options.delay ? { startAfter: options.delay } : {}),
        ...(options.at ? { startAfter: options.at } : {}),
        ...(options.group ? { group: { id: options.group } } : {}),
        ...(options.priority ? { priority: options.priority } : {}),
        ...singletonKey(name, options.key),
      })
      if (options.delay) timer?.set(Date.now() + options.delay * 1000)
      if (options.at) timer?.set(options.at.getTime())
    },
    async addMany(queryable, name, data, keyOf) {
      const jobs = data.map((item): JobInsert => ({
        data: withCause(name, item),
        ...singletonKey(name, keyOf?.(item)),
      }))
      if (jobs.length > 0) await boss.insert(name, jobs, { db: preparedOn(queryable) })
    },
    wakeForRetry: () => timer?.set(Date.now() + MIN_RETRY_DELAY_MS),
    async stop() {
      timer?.stop()
      stopRepeating()
      await boss.stop({ graceful: true, timeout: 10_000, close: false })
    },
  }
}

const createBoss = (runsJobs: boolean, db: IDatabase): PgBoss =>
  new PgBoss({
    db,
    useListenNotify: runsJobs,
    supervise: runsJobs,
    schedule: runsJobs,
    superviseIntervalSeconds: 60,
    // Schedules have no seconds and there are no chains of jobs, so rare checks are enough.
    cronWorkerIntervalSeconds: 30,
    flowIntervalSeconds: 3600,
    persistWarnings: false,
  })

/** Each kind's statement never changes and takes longer to plan than to run: it is prepared, as all statements here are. */
const preparedOn = (queryable: Queryable): IDatabase => ({
  executeSql: async (text, values) => ({ rows: await queryable.many({ strings: [text], values: values ?? [] }) }),
})

/** The library treats a missing key as equal to another, so each job of a keyed kind without a key gets its own. */
const singletonKey = (name: JobName, key: string | undefined): { singletonKey?: string } =>
  key || settingsOf(name).keyed ? { singletonKey: key ?? randomUUID() } : {}

function withCause(name: JobName, data: object): object {
  const cause = settingsOf(name).traced ? currentCause() : null
  return cause === null ? data : { ...data, cause }
}

/** `update`: also changes existing queues to the settings in `JOB_KINDS`. */
async function declareQueues(boss: PgBoss, update: boolean): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const declare = async (name: JobName): Promise<void> => {
    const { keyed, retryLimit, retryDelay, retryDelayMax, expireInSeconds } = settingsOf(name)
    const queue = {
      retryLimit,
      retryDelay,
      ...(retryDelayMax === undefined ? {} : { retryDelayMax }),
      expireInSeconds,
      retryBackoff: true,
      notify: true,
      heartbeatSeconds: HEARTBEAT,
      deleteAfterSeconds: STORED_SECONDS.completed,
      retentionSeconds: 14 * 86_400,
    }
    const existing = known.get(name)
    if (!existing) await boss.createQueue(name, { ...queue, policy: keyed ? 'short' : 'standard' })
    else if (update && Object.entries(queue).some(([key, value]) => existing[key as keyof typeof existing] !== value))
      await boss.updateQueue(name, queue)
  }
  await Promise.all(JOB_NAMES.map(declare))
}

/**
 * Removes times in the future that a clock which was ahead has left. Until then, schedules would stand still, and so would jobs that
 * were to run at once or again. Jobs for a certain time are unaffected.
 */
const RESET_FUTURE_TIMES = [
  'update pgboss.version set cron_on = null, flow_on = null where greatest(cron_on, flow_on) > now()',
  `update pgboss.queue set monitor_on = null, monitor_claim_on = null, maintain_on = null
   where greatest(monitor_on, monitor_claim_on, maintain_on) > now()`,
  `update pgboss.job set start_after = now()
   where state < 'active' and start_after > now() and (created_on >= start_after or started_on > now())`,
]

/**
 * Requeues the jobs that a killed process was running: at once if no other process has workers on this database. Otherwise
 * they wait for their missed heartbeat, since another process may be running them.
 */
async function requeueAbandoned(db: Database): Promise<void> {
  const client = await db.dedicated()
  try {
    const { rows } = await client.query<{ installed: boolean; alone: boolean }>(
      `select installed, installed and pg_try_advisory_lock($1) as alone
       from (select to_regclass('pgboss.job') is not null as installed) queue`,
      [WORKERS_LOCK],
    )
    if (rows[0]?.alone)
      await client.query(
        `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
      )
    if (rows[0]?.installed) for (const statement of RESET_FUTURE_TIMES) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * LISTEN on a dedicated connection, reopened when lost, so that workers start new jobs at once. The connection also holds the
 * advisory lock of processes with workers.
 */
function listenOn(db: Database, onError: (error: Error) => void): NonNullable<IDatabase['listen']> {
  return async (channel, onNotification, onReconnect) => {
    let closed = false
    let client: Awaited<ReturnType<Database['dedicated']>> | null = null
    const open = async (): Promise<void> => {
      client = await db.dedicated()
      // The process began to end while this connection was opened.
      if (closed) return client.end()
      client.on('notification', (message) => onNotification(message.payload ?? ''))
      try {
        await client.query('select pg_advisory_lock_shared($1)', [WORKERS_LOCK])
        await client.query(`listen ${client.escapeIdentifier(channel)}`)
      } catch (error) {
        // A standby refuses LISTEN: the connection would stay open beside the next one.
        void client.end().catch(() => {})
        throw error
      }
      // Not earlier: until now the caller retries, and a second retry would open two connections.
      client.on('end', () => {
        if (!closed) setTimeout(retry, 1000).unref()
      })
      onReconnect()
    }
    const retry = (): void => {
      open().then(
        () => requeueLost(db, onError),
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
