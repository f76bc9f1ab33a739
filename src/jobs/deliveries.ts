// Deliveries to one server that wait in the queue.
import type { Context } from '../context.ts'
import { sql, type Sql } from '../db/sql.ts'

/** More are not counted. */
const COUNT_LIMIT = 10_000

const toHosts = (hosts: readonly string[]): Sql => sql`
  name = 'federation.deliver' and state in ('created', 'retry') and lower(split_part(data ->> 'inbox', '/', 3)) = any(${hosts}::text[])`

export async function countWaitingDeliveries(ctx: Context, hosts: readonly string[]): Promise<number> {
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from (select from pgboss.job where ${toHosts(hosts)} limit ${COUNT_LIMIT}) waiting`,
  )
  return n
}

/** Makes them due. */
export async function retryDeliveriesNow(tx: Context, hosts: readonly string[]): Promise<number> {
  return tx.db.run(sql`update pgboss.job set start_after = now() where ${toHosts(hosts)} and start_after > now()`)
}
