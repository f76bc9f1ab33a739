import type { JobName } from '../jobs/kinds.ts'
import type { Queue } from '../jobs/queue.ts'

/** Cron expressions, in UTC. */
const SCHEDULES: Partial<Record<JobName, string>> = { 'instance.clean-up': '17 * * * *' }

/** Schedules recurring jobs, and drops the schedules of earlier versions, whose jobs have no handler. */
export async function scheduleCron({ boss }: Queue): Promise<void> {
  for (const { name } of await boss.getSchedules()) if (!Object.hasOwn(SCHEDULES, name)) await boss.unschedule(name)
  for (const [name, cron] of Object.entries(SCHEDULES)) await boss.schedule(name, cron, {}, { tz: 'UTC' })
}
