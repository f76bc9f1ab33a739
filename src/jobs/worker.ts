import type { Context } from '../context.ts'
import type { JobData, JobName } from './names.ts'
import type { Queue } from './queue.ts'

export type JobHandlers = { [Name in JobName]: (ctx: Context, data: JobData[Name]) => Promise<void> }

type Load = {
  batchSize: number
  localConcurrency: number
  pollingIntervalSeconds?: number
  notifyPollingIntervalSeconds?: number
}

/** What was put off until an instant is noticed only by looking, so it is looked for twice a second. */
const PUNCTUAL: Load = {
  batchSize: 20,
  localConcurrency: 1,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
}
/** How much of a kind one process does at once: deliveries wait for others, the rest for the database. */
const LOADS: Partial<Record<JobName, Load>> = {
  'federation.deliver': { batchSize: 50, localConcurrency: 4 },
  'federation.receive': { batchSize: 20, localConcurrency: 2 },
  'federation.distribute': { batchSize: 10, localConcurrency: 2 },
  'statuses.publish': PUNCTUAL,
  'polls.close': PUNCTUAL,
  'push.send': { batchSize: 20, localConcurrency: 2 },
  // One at a time: films keep a processor busy for minutes. Looked for often, as batches of one are not followed by the next.
  'media.process': { ...PUNCTUAL, batchSize: 1 },
}
const USUAL: Load = { batchSize: 5, localConcurrency: 1 }

/**
 * Works off every kind of job in this process until the queue stops. A job that throws is tried again as its queue says;
 * its neighbours in the batch are not.
 */
export async function startWorker(ctx: Context, queue: Queue, handlers: Partial<JobHandlers>): Promise<void> {
  for (const [name, handler] of Object.entries(handlers) as [JobName, (ctx: Context, data: never) => Promise<void>][]) {
    const options = {
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 10,
      ...(LOADS[name] ?? USUAL),
      burstWhenBatchFull: true,
      perJobResults: true as const,
    }
    await queue.boss.work(name, options, async (jobs) =>
      Promise.all(
        jobs.map(async (job) => {
          try {
            await handler(ctx, job.data as never)
            return { id: job.id, status: 'completed' as const }
          } catch (error) {
            ctx.log.warn({ err: error, job: name, data: job.data }, 'a job failed and will be tried again')
            return { id: job.id, status: 'failed' as const, output: { message: String(error) } }
          }
        }),
      ),
    )
  }
}
