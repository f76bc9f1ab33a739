import type { Context } from '../context.ts'
import { metersOf } from '../domain/server/meters.ts'
import { DEFAULT_WEIGHT, type JobData, type JobName, settingsOf } from '../jobs/kinds.ts'
import { retainFailedJob } from '../jobs/overview.ts'
import type { Queue } from '../jobs/queue.ts'
import { type Cause, causedBy, newCause } from '../lib/cause.ts'
import { FetchError } from '../net/fetch-error.ts'

/** `jobId` is the same in every run of a job: use it as the key of a row to insert it once. */
export type JobHandlers = {
  [Name in JobName]: (ctx: Context, data: JobData[Name], jobId: string, isLastTry: boolean) => Promise<void>
}

type JobHandler = (ctx: Context, data: never, jobId: string, isLastTry: boolean) => Promise<void>

function causeOf(name: JobName, data: unknown): Cause | null {
  if (!settingsOf(name).traced) return null
  return (data as { cause?: Cause }).cause ?? newCause()
}

/** The fields of an error for the log. Without the stack for failures of other servers, which are frequent and not faults of this code. */
function describe(error: unknown): object {
  if (!(error instanceof FetchError)) return { err: error }
  const { message, reason, status, cause } = error
  return { error: message, reason, status, ...(cause === undefined ? {} : { cause: String(cause) }) }
}

/** Runs until the queue stops. The queue retries a job that throws without the rest of its batch. */
export async function startWorker(ctx: Context, queue: Queue, handlers: JobHandlers): Promise<void> {
  for (const [name, handler] of Object.entries(handlers) as [JobName, JobHandler][]) {
    const { weight = DEFAULT_WEIGHT, overflows } = settingsOf(name)
    const options = {
      // LISTEN wakes workers for new jobs and the timer for delayed ones, so polling is only the fallback.
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 600,
      batchSize: weight.batchSize,
      burstWhenBatchFull: true,
      perJobResults: true as const,
      includeMetadata: true as const,
      ...(weight.groupConcurrency ? { groupConcurrency: weight.groupConcurrency } : {}),
    }
    const run = jobRunner(ctx, queue, name, handler)
    const start = async (localConcurrency: number): Promise<string> => {
      const worker: string = await queue.boss.work(name, { ...options, localConcurrency }, async (jobs) => {
        // The library does not fetch again after a batch of one.
        if (weight.batchSize === 1) queue.boss.notifyWorker(worker)
        const end = begin?.()
        await ctx.changes.catchUp()
        // A batch comes in any order; two mails to one person should not.
        const inOrder = jobs.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
        const results = await Promise.all(inOrder.map(run))
        end?.()
        return results
      })
      return worker
    }
    const begin = overflows
      ? overflowWorkers(
          { start: () => start(1), stop: (id) => queue.boss.offWork(name, { id, wait: false }) },
          (error) => ctx.log.debug({ err: error, job: name }, 'overflow-worker.failed'),
        )
      : null
    // A batch of one wakes the worker that ran it, so each needs its own worker.
    if (weight.batchSize > 1) await start(weight.localConcurrency)
    else for (let i = 0; i < weight.localConcurrency; i++) await start(1)
  }
}

type FetchedJob = { id: string; data: unknown; retryCount: number; retryLimit: number }

/** Runs a job, counts it, and returns its result for the queue. Logs a failure, and retains a job that failed for good. */
const jobRunner =
  (ctx: Context, queue: Queue, name: JobName, handler: JobHandler) =>
  async ({ id, data, retryCount, retryLimit }: FetchedJob) => {
    const begun = performance.now()
    const count = (outcome: 'completed' | 'failed'): void =>
      metersOf(ctx)?.job(name, outcome, (performance.now() - begun) / 1000)
    const isLastTry = retryCount >= retryLimit
    try {
      await causedBy(causeOf(name, data), () => handler(ctx, data as never, id, isLastTry))
      count('completed')
      return { id, status: 'completed' as const }
    } catch (error) {
      const shown = settingsOf(name).personal ? undefined : data
      ctx.log.warn({ ...describe(error), job: name, data: shown, id, attempt: retryCount + 1 }, 'job.failed')
      queue.failed()
      if (isLastTry) await retainFailedJob(ctx.db, name, id)
      count('failed')
      return { id, status: 'failed' as const, output: { message: String(error) } }
    }
  }

const OVERFLOW_AFTER_MS = 1500
const MAX_OVERFLOW_WORKERS = 6

type WorkerControl = { start(): Promise<string>; stop(id: string): Promise<void> }

/**
 * Starts overflow workers while a batch is slow and jobs wait. Call the returned function at the beginning of each batch, and
 * what it returns at its end. `onError` receives failures to start or stop a worker.
 */
function overflowWorkers(workers: WorkerControl, onError: (error: unknown) => void): () => () => void {
  let count = 0
  return () => {
    let worker: Promise<string> | null = null
    const timer = setTimeout(() => {
      if (count >= MAX_OVERFLOW_WORKERS) return
      count++
      worker = workers.start()
      worker.catch(onError)
    }, OVERFLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      if (worker === null) return
      count--
      worker.then((id) => workers.stop(id)).catch(onError)
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
