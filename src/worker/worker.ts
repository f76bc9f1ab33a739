import type { Context } from '../context.ts'
import { metersOf } from '../domain/server/meters.ts'
import { DEFAULT_WEIGHT, type JobData, type JobName, type JobRun, settingsOf } from '../jobs/kinds.ts'
import { retainFailedJob } from '../jobs/overview.ts'
import type { Queue } from '../jobs/queue.ts'
import { type Cause, causedBy, newCause } from '../lib/cause.ts'
import { FetchError } from '../net/fetch-error.ts'

export type JobHandlers = {
  [Name in JobName]: (ctx: Context, data: JobData[Name], run: JobRun) => Promise<void>
}

type JobHandler = (ctx: Context, data: never, run: JobRun) => Promise<void>

function causeOf(name: JobName, data: unknown): Cause | null {
  if (!settingsOf(name).traced) return null
  return (data as { cause?: Cause }).cause ?? newCause()
}

/** The fields of an error for the log. Failures of other servers are frequent, and not faults of this code: without a stack. */
function describe(error: unknown): object {
  if (!(error instanceof FetchError)) return { err: error }
  const { message, reason, status, cause } = error
  return { error: message, reason, status, ...(cause === undefined ? {} : { cause: String(cause) }) }
}

/** Runs until the queue stops. */
export async function startWorker(ctx: Context, queue: Queue, handlers: JobHandlers): Promise<void> {
  for (const [name, handler] of Object.entries(handlers) as [JobName, JobHandler][])
    await startWorkersFor(ctx, queue, name, handler)
}

async function startWorkersFor(ctx: Context, queue: Queue, name: JobName, handler: JobHandler): Promise<void> {
  const { weight = DEFAULT_WEIGHT, overflows } = settingsOf(name)
  const options = {
    // LISTEN wakes workers for new jobs and the timer for delayed ones, so polling is only the fallback.
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 600,
    batchSize: weight.batchSize,
    burstWhenBatchFull: true,
    // The queue retries a job that failed without the rest of its batch.
    perJobResults: true as const,
    includeMetadata: true as const,
    ...(weight.groupConcurrency ? { groupConcurrency: weight.groupConcurrency } : {}),
  }
  const runJob = jobRunner(ctx, queue, name, handler)
  const runBatch = async (jobs: readonly FetchedJob[]): Promise<JobResult[]> => {
    await ctx.changes.catchUp()
    // A batch comes in any order; two mails to one person should not.
    const inOrder = jobs.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
    return Promise.all(inOrder.map(runJob))
  }
  const start = async (localConcurrency: number): Promise<string> => {
    const worker: string = await queue.boss.work(name, { ...options, localConcurrency }, (jobs) => {
      // The library does not fetch again after a batch of one.
      if (weight.batchSize === 1) queue.boss.notifyWorker(worker)
      return overflow ? overflow(() => runBatch(jobs)) : runBatch(jobs)
    })
    return worker
  }
  const overflow = overflows
    ? overflowWorkers({ start: () => start(1), stop: (id) => queue.boss.offWork(name, { id, wait: false }) }, (error) =>
        ctx.log.debug({ err: error, job: name }, 'overflow-worker.failed'),
      )
    : null
  // A batch of one wakes the worker that ran it, so each needs its own worker.
  if (weight.batchSize > 1) await start(weight.localConcurrency)
  else for (let i = 0; i < weight.localConcurrency; i++) await start(1)
}

type FetchedJob = { id: string; data: unknown; createdOn: Date; retryCount: number; retryLimit: number }
type JobResult = { id: string; status: 'completed' } | { id: string; status: 'failed'; output: { message: string } }

/** Runs a job, counts it, and returns its result for the queue. Logs a failure, and retains a job that failed for good. */
const jobRunner =
  (ctx: Context, queue: Queue, name: JobName, handler: JobHandler) =>
  async ({ id, data, retryCount, retryLimit }: FetchedJob): Promise<JobResult> => {
    const begun = performance.now()
    const count = (outcome: 'completed' | 'failed'): void =>
      metersOf(ctx)?.job(name, outcome, (performance.now() - begun) / 1000)
    const isLastAttempt = retryCount >= retryLimit
    try {
      await causedBy(causeOf(name, data), () => handler(ctx, data as never, { jobId: id, isLastAttempt }))
      count('completed')
      return { id, status: 'completed' }
    } catch (error) {
      const shown = settingsOf(name).personal ? undefined : data
      ctx.log.warn({ ...describe(error), job: name, data: shown, id, attempt: retryCount + 1 }, 'job.failed')
      queue.wakeForRetry()
      if (isLastAttempt) await retainFailedJob(ctx.db, name, id)
      count('failed')
      return { id, status: 'failed', output: { message: String(error) } }
    }
  }

const OVERFLOW_AFTER_MS = 1500
const MAX_OVERFLOW_WORKERS = 6

type WorkerControl = { start(): Promise<string>; stop(id: string): Promise<void> }

/**
 * Returns a function that runs a batch, and has an overflow worker take other jobs while that takes long. `onError` receives
 * failures to start or stop a worker.
 */
function overflowWorkers(
  workers: WorkerControl,
  onError: (error: unknown) => void,
): <T>(runBatch: () => Promise<T>) => Promise<T> {
  let count = 0
  return async (runBatch) => {
    let stop = (): void => {}
    const timer = setTimeout(() => {
      if (count >= MAX_OVERFLOW_WORKERS) return
      count++
      const worker = workers.start()
      worker.catch(onError)
      stop = () => {
        count--
        worker.then((id) => workers.stop(id)).catch(onError)
      }
    }, OVERFLOW_AFTER_MS)
    try {
      return await runBatch()
    } finally {
      clearTimeout(timer)
      stop()
    }
  }
}

/** In UTC. */
const schedulesOf = ({ config }: Context): Partial<Record<JobName, string>> => ({
  ...(config.fasp ? { 'fasp.announce': '* * * * *' } : {}),
  'instance.clean-up': '17 * * * *',
  'trends.refresh': '*/5 * * * *',
  'trends.review': '37 */6 * * *',
})

/** Removes the schedules of earlier versions, whose jobs have no handler. */
export async function scheduleCron(ctx: Context, { boss }: Queue): Promise<void> {
  const schedules = schedulesOf(ctx)
  for (const { name } of await boss.getSchedules()) if (!Object.hasOwn(schedules, name)) await boss.unschedule(name)
  for (const [name, cron] of Object.entries(schedules)) await boss.schedule(name, cron, {}, { tz: 'UTC' })
}
