import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { cacheUsage } from '../domain/media/cache.ts'
import { readDiskSpace } from '../domain/server/disk-space.ts'
import { type Meters, setMeters } from '../domain/server/meters.ts'
import { readJobKinds } from '../jobs/overview.ts'

export type Measured = { database: Database; connections: () => number }

const PREFIX = 'rookery_'
const REQUEST_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
const JOB_SECONDS = [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60, 600]

/** The figures of one server, of which several may share a process in tests. Labels have few values: no hosts, no accounts. */
export function measure(app: FastifyInstance, ctx: Context, measured: Measured): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter<Label>({ name: PREFIX + name, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> => new Histogram<Label>({ name: PREFIX + name, help, labelNames, buckets, registers })
  countRequests(app, counter, histogram)
  setMeters(ctx, makeMeters(counter, histogram))
  const gauge = gaugesOf(ctx, registry)
  if (ctx.config.roles.includes('worker')) readShared(ctx, measured.database, gauge)
  readStates(measured, gauge)
  return registry
}

/** Lets the primary process read the figures of this one, which carry its name. */
export function offerFigures(registry: Registry, processName: string): void {
  registry.setDefaultLabels({ process: processName })
  AggregatorRegistry.setRegistries([registry])
  // Listens for the questions of the primary process.
  void new AggregatorRegistry()
}

type MakeCounter = <Label extends string>(name: string, help: string, ...labels: Label[]) => Counter<Label>
type MakeHistogram = <Label extends string>(
  name: string,
  help: string,
  buckets: number[],
  ...labels: Label[]
) => Histogram<Label>

function countRequests(app: FastifyInstance, counter: MakeCounter, histogram: MakeHistogram): void {
  const requests = counter('http_requests_total', 'Requests by route and class of status', 'method', 'route', 'status')
  const seconds = histogram(
    'http_request_duration_seconds',
    'Time to the end of the response',
    REQUEST_SECONDS,
    'route',
  )
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    // Unknown paths share one label.
    const route = routeOptions.url ?? 'unknown'
    requests.inc({ method, route, status: `${Math.floor(reply.statusCode / 100)}xx` })
    seconds.observe({ route }, reply.elapsedTime / 1000)
  })
}

function makeMeters(counter: MakeCounter, histogram: MakeHistogram): Meters {
  const jobs = counter('jobs_total', 'Finished runs of jobs', 'kind', 'outcome')
  const jobSeconds = histogram('job_duration_seconds', 'Time that a run of a job took', JOB_SECONDS, 'kind')
  const deliveries = counter('federation_deliveries_total', 'Activities sent, by inbox', 'outcome', 'host_class')
  const received = counter('federation_received_total', 'Activities received', 'type', 'outcome')
  const feedRows = counter('feed_rows_total', 'Entries that new posts added to home feeds')
  const feedBuilds = histogram('feed_build_duration_seconds', 'Time to rebuild a home feed', JOB_SECONDS)
  const events = counter('stream_events_total', 'Events sent to streaming connections', 'type')
  return {
    job(kind, outcome, seconds) {
      jobs.inc({ kind, outcome })
      jobSeconds.observe({ kind }, seconds)
    },
    delivery: (outcome, host) => deliveries.inc({ outcome, host_class: host }),
    received: (type, outcome) => received.inc({ type, outcome }),
    feedRows: (rows) => feedRows.inc(rows),
    feedBuilt: (seconds) => feedBuilds.observe(seconds),
    streamEvents: (type, receivers) => events.inc({ type }, receivers),
  }
}

type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: Label[],
  read: (gauge: Gauge<Label>) => Promise<void> | void,
) => Gauge<Label>

const gaugesOf =
  (ctx: Context, registry: Registry): MakeGauge =>
  (name, help, labelNames, read) =>
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        // The other figures are most useful while the database does not answer.
        await Promise.resolve(read(this)).catch((error: unknown) =>
          ctx.log.debug({ err: error, name }, 'metrics.failed'),
        )
      },
    })

/** Figures of the database, which only processes with workers report: of several processes, one. */
function readShared(ctx: Context, database: Database, gauge: MakeGauge): void {
  const age = gauge('jobs_oldest_seconds', 'How long the oldest due job has waited', ['kind'], () => {})
  gauge('jobs_waiting', 'Jobs in the queue', ['kind', 'state'], async (self) => {
    age.reset()
    for (const { name, due, delayed, active, failed, oldest } of await readJobKinds(database)) {
      self.set({ kind: name, state: 'due' }, due)
      self.set({ kind: name, state: 'delayed' }, delayed)
      self.set({ kind: name, state: 'active' }, active)
      self.set({ kind: name, state: 'failed' }, failed)
      age.set({ kind: name }, oldest ? (Date.now() - oldest.getTime()) / 1000 : 0)
    }
  })
  gauge('disk_bytes', 'The disk of DATA_DIR, and what is free on it', ['kind'], async (self) => {
    const { size, free } = await readDiskSpace(ctx)
    self.set({ kind: 'size' }, size)
    self.set({ kind: 'free' }, free)
  })
  gauge('media_cache_bytes', 'Copies of remote media on disk, and their budget', ['kind'], async (self) => {
    const { bytes, budget } = await cacheUsage(ctx)
    self.set({ kind: 'used' }, bytes)
    if (budget !== null) self.set({ kind: 'budget' }, budget)
  })
}

/** Figures of this process that are read when they are asked for. */
function readStates({ database, connections }: Measured, gauge: MakeGauge): void {
  gauge('database_connections', 'Connections of this process for transactions', ['state'], (self) => {
    const { open, idle } = database.load()
    self.set({ state: 'busy' }, open - idle)
    self.set({ state: 'idle' }, idle)
  })
  gauge(
    'database_waiting',
    'Transactions that wait for a connection, and single statements on their way',
    ['kind'],
    (self) => {
      const { waiting, pending } = database.load()
      self.set({ kind: 'transactions' }, waiting)
      self.set({ kind: 'statements' }, pending)
    },
  )
  gauge('database_statements', 'Statements of this process since its start', [], (self) =>
    self.set(database.statements),
  )
  gauge('stream_connections', 'Open streaming connections', [], (self) => self.set(connections()))
}
