import type { Queryable } from '../db/database.ts'

export type QueueDepth = {
  name: string
  /** Jobs that are due, and jobs for later: retries, scheduled posts. */
  due: number
  delayed: number
  active: number
  /** Seconds since the oldest due job could have started. */
  oldest_seconds: number
}

/** Reads the waiting jobs only: completed ones are many. */
export async function queueDepths(db: Pick<Queryable, 'raw'>): Promise<QueueDepth[]> {
  const { rows } = await db.raw(`
    select name, count(*) filter (where state < 'active' and start_after <= now())::int as due,
      count(*) filter (where state < 'active' and start_after > now())::int as delayed,
      count(*) filter (where state = 'active')::int as active,
      coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)::float8 as oldest_seconds
    from pgboss.job where state < 'completed' and name not like '\\_\\_%' group by name`)
  return rows
}
