import type { Queue } from '../jobs/queue.ts'

/** What happens by itself, in UTC. */
export async function scheduleCron(queue: Queue): Promise<void> {
  await queue.boss.schedule('instance.sweep', '17 * * * *', {}, { tz: 'UTC' })
  await queue.boss.schedule('portability.sweep', '47 * * * *', {}, { tz: 'UTC' })
}
