// Deliveries to one server in the queue.
import type { Context } from '../context.ts'
import { sql, type Sql } from '../db/sql.ts'
import { errorText } from './overview.ts'

/** More are not counted. */
const COUNT_LIMIT = 10_000

/** Ends the message of an attempt that the circuit breaker refused, which does not say why earlier ones failed. */
export const UNAVAILABLE = 'is unavailable'

const isDelivery = (hosts: readonly string[]): Sql => sql`
  name = 'federation.deliver' and lower(split_part(data ->> 'inbox', '/', 3)) = any(${hosts}::text[])`
const toHosts = (hosts: readonly string[]): Sql => sql`${isDelivery(hosts)} and state in ('created', 'retry')`

export async function countWaitingDeliveries(ctx: Context, hosts: readonly string[]): Promise<number> {
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from (select from pgboss.job where ${toHosts(hosts)} limit ${COUNT_LIMIT}) waiting`,
  )
  return n
}

export type DeliveryError = { error: string; at: Date }

/** Why the latest attempt at a delivery that waits or has failed for good did not succeed. */
export const findDeliveryError = (ctx: Context, hosts: readonly string[]): Promise<DeliveryError | null> =>
  ctx.db.maybe<DeliveryError>(sql`
    select ${errorText} as error, started_on as at from pgboss.job
    where ${isDelivery(hosts)} and state in ('retry', 'failed') and output is not null and started_on is not null
      and ${errorText} not like ${`%${UNAVAILABLE}`}
    order by started_on desc limit 1`)

/** Makes them due. */
export async function retryDeliveriesNow(tx: Context, hosts: readonly string[]): Promise<number> {
  return tx.db.run(sql`update pgboss.job set start_after = now() where ${toHosts(hosts)} and start_after > now()`)
}
