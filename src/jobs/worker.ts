import type { Context } from '../context.ts'
import type { JobData, JobName } from './names.ts'
import type { Queue } from './queue.ts'

export type JobHandlers = { [Name in JobName]: (ctx: Context, data: JobData[Name]) => Promise<void> }

type Load = { batchSize: number; localConcurrency: number }

/** How much of a kind one process does at once: deliveries wait for others, the rest for the database. */
const LOADS: Partial<Record<JobName, Load>> = {
  'federation.deliver': { batchSize: 50, localConcurrency: 4 },
  'federation.receive': { batchSize: 20, localConcurrency: 2 },
  'federation.distribute': { batchSize: 10, localConcurrency: 2 },
  'statuses.publish': { batchSize: 20, localConcurrency: 1 },
  'polls.close': { batchSize: 20, localConcurrency: 1 },
  'push.send': { batchSize: 20, localConcurrency: 2 },
  // One at a time: films keep a processor busy for minutes.
  'media.process': { batchSize: 1, localConcurrency: 1 },
}
const USUAL: Load = { batchSize: 5, localConcurrency: 1 }

/**
 * Works off every kind of job in this process until the queue stops. A job that throws is tried again as its queue says;
 * its neighbours in the batch are not.
 */
export async function startWorker(ctx: Context, queue: Queue, handlers: Partial<JobHandlers>): Promise<void> {
  for (const [name, handler] of Object.entries(handlers) as [JobName, (ctx: Context, data: never) => Promise<void>][]) {
    const load = LOADS[name] ?? USUAL
    const options = {
      // Workers are told of new jobs, and the alarm wakes them for others: they look by themselves only while nobody tells them.
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 600,
      ...load,
      burstWhenBatchFull: true,
      perJobResults: true as const,
    }
    const worker: string = await queue.boss.work(name, options, async (jobs) => {
      // The library does not follow a batch of one by the next.
      if (load.batchSize === 1) queue.boss.notifyWorker(worker)
      return Promise.all(
        jobs.map(async (job) => {
          try {
            await handler(ctx, job.data as never)
            return { id: job.id, status: 'completed' as const }
          } catch (error) {
            ctx.log.warn({ err: error, job: name, data: job.data }, 'a job failed and will be tried again')
            queue.failed()
            return { id: job.id, status: 'failed' as const, output: { message: String(error) } }
          }
        }),
      )
    })
  }
}
