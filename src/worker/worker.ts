import type { Context } from '../context.ts'
import { causedBy, newCause, type Cause } from '../lib/cause.ts'
import type { JobData, JobName } from '../jobs/kinds.ts'
import { CAUSED, type Queue } from '../jobs/queue.ts'
import { standIns } from './overflow.ts'

/** `jobId` stays the same when a job runs again: what is derived from it is made once. */
export type JobHandlers = {
  [Name in JobName]: (ctx: Context, data: JobData[Name], jobId: string, isLastTry: boolean) => Promise<void>
}

type Load = { batchSize: number; localConcurrency: number; groupConcurrency?: number }

/** How much of a kind one process does at once: deliveries wait for others, the rest for the database. */
const LOADS: Partial<Record<JobName, Load>> = {
  'federation.deliver': { batchSize: 50, localConcurrency: 4 },
  'federation.receive': { batchSize: 20, localConcurrency: 2 },
  'federation.distribute': { batchSize: 10, localConcurrency: 2 },
  'statuses.publish': { batchSize: 20, localConcurrency: 1 },
  'polls.close': { batchSize: 20, localConcurrency: 1 },
  'push.send': { batchSize: 20, localConcurrency: 2 },
  // Videos keep a processor busy for minutes: two at a time, one per account, so that no account keeps all others waiting.
  'media.process': { batchSize: 1, localConcurrency: 2, groupConcurrency: 1 },
}
const USUAL: Load = { batchSize: 5, localConcurrency: 1 }

/** Kinds that wait for other servers, of which one that takes its time is not to hold up what has to do with the rest. */
const WAITS_FOR_OTHERS = /^(federation|media\.(cache|probe)|cards|push|mail|accounts\.verify-links|polls\.refresh)/

/** What a job belongs to: what enqueued it, or itself where it reads from other servers. */
function causeOf(name: JobName, data: unknown): Cause | null {
  if (!CAUSED.test(name)) return null
  return (data as { cause?: Cause }).cause ?? newCause()
}

/**
 * Works off every kind of job in this process until the queue stops. A job that throws is tried again as its queue says;
 * its neighbours in the batch are not.
 */
export async function startWorker(ctx: Context, queue: Queue, handlers: Partial<JobHandlers>): Promise<void> {
  for (const [name, handler] of Object.entries(handlers) as [
    JobName,
    (ctx: Context, data: never, jobId: string, isLastTry: boolean) => Promise<void>,
  ][]) {
    const load = LOADS[name] ?? USUAL
    const options = {
      // Workers are told of new jobs, and the alarm wakes them for others: they look by themselves only while nobody tells them.
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 600,
      batchSize: load.batchSize,
      burstWhenBatchFull: true,
      perJobResults: true as const,
      includeMetadata: true as const,
      ...(load.groupConcurrency ? { groupConcurrency: load.groupConcurrency } : {}),
    }
    const runOne = async (job: { id: string; data: unknown; retryCount: number; retryLimit: number }) => {
      try {
        await causedBy(causeOf(name, job.data), () =>
          handler(ctx, job.data as never, job.id, job.retryCount >= job.retryLimit),
        )
        return { id: job.id, status: 'completed' as const }
      } catch (error) {
        ctx.log.warn({ err: error, job: name, data: job.data }, 'a job failed and will be tried again')
        queue.failed()
        return { id: job.id, status: 'failed' as const, output: { message: String(error) } }
      }
    }
    const start = async (localConcurrency: number): Promise<string> => {
      const worker: string = await queue.boss.work(name, { ...options, localConcurrency }, async (jobs) => {
        // The library does not follow a batch of one by the next.
        if (load.batchSize === 1) queue.boss.notifyWorker(worker)
        const end = begin?.()
        const results = await Promise.all(jobs.map(runOne))
        end?.()
        return results
      })
      return worker
    }
    const begin = WAITS_FOR_OTHERS.test(name)
      ? standIns({ start: () => start(1), stop: (id) => queue.boss.offWork(name, { id, wait: false }) }, (error) =>
          ctx.log.debug({ err: error, job: name }, 'nobody stands in'),
        )
      : null
    // A batch of one wakes the worker that had it, so each has to be a worker of its own.
    if (load.batchSize > 1) await start(load.localConcurrency)
    else for (let i = 0; i < load.localConcurrency; i++) await start(1)
  }
}
