import type { HostBudgets } from '../../db/schema.ts'
import { getDomain } from 'tldts'
import { FetchError } from '../../net/fetch-error.ts'
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { currentCause } from '../../lib/cause.ts'
import { withoutPort } from '../server/addresses.ts'

/**
 * Budgets per host and hour: requests to it, requests to any host that its deliveries cause, and new accounts of it. A host may
 * cause fewer requests than may be sent to a host, so that one cannot use up the budget of another.
 */
export const HOST_LIMITS = { requests: 10_000, caused: 3000, accounts: 1000 }
/** Requests that one delivery, or one request of a client, may cause in all. */
const CAUSE_LIMITS = { documents: 240, extras: 120 }

export type RequestKind = 'document' | 'extra'

/** A host with all its subdomains and ports: `example.org`, or the address itself. */
export function siteOf(hostname: string): string {
  const name = withoutPort(hostname.replace(/^\[|\]$/g, ''))
  return getDomain(name, { allowPrivateDomains: true }) ?? name
}

const thisHour = sql`date_trunc('hour', now())`

/**
 * Counts an outgoing request. Throws FetchError: 'cause-budget' when its cause has used up its requests, which is final;
 * 'host-budget' when a host has, until the next hour. Do not call it in a transaction.
 */
export async function admitRequest(ctx: Context, hostname: string, kind: RequestKind): Promise<void> {
  const cause = currentCause()
  const target = siteOf(hostname)
  const by = cause?.host ? siteOf(cause.host) : null
  const [documents, extras] = kind === 'document' ? [1, 0] : [0, 1]
  const row = await ctx.db.one<{ used: number; requests: number; caused: number }>(sql`
    with cause as (
      insert into cause_budgets as c (id, documents, extras) select ${cause?.id ?? null}::bigint, ${documents}::int, ${extras}::int where ${cause !== null}
      on conflict (id) do update set documents = c.documents + excluded.documents, extras = c.extras + excluded.extras
      returning case when ${documents} = 1 then documents else extras end as used
    ), counted as (
      insert into host_budgets as b (host, hour, requests, caused)
      select host, ${thisHour}, sum(requests), sum(caused)
      from (values (${target}::text, 1, 0), (${by}::text, 0, 1)) as v (host, requests, caused)
      where host is not null and not exists (select from cause where used > ${CAUSE_LIMITS[`${kind}s`]})
      group by host order by host
      on conflict (host, hour) do update set requests = b.requests + excluded.requests, caused = b.caused + excluded.caused
      returning host, requests, caused
    )
    select coalesce((select used from cause), 0) as used,
      coalesce((select requests from counted where host = ${target}), 0) as requests,
      coalesce((select caused from counted where host = ${by}), 0) as caused`)
  if (row.used > CAUSE_LIMITS[`${kind}s`])
    throw new FetchError('cause-budget', `${hostname} is not asked: too many requests for one cause`)
  if (row.requests <= HOST_LIMITS.requests && row.caused <= HOST_LIMITS.caused) return
  await countRefusal(ctx, row.requests > HOST_LIMITS.requests ? target : (by ?? target))
  throw new FetchError('host-budget', `${hostname} is not asked: too many requests within this hour`)
}

/** Call it before the account is stored, and not in a transaction. Throws FetchError 'host-budget'. */
export async function admitAccount(ctx: Context, hostname: string): Promise<void> {
  const host = siteOf(hostname)
  const { accounts } = await ctx.db.one<{ accounts: number }>(sql`
    insert into host_budgets as b (host, hour, accounts) values (${host}, ${thisHour}, 1)
    on conflict (host, hour) do update set accounts = b.accounts + 1 returning accounts`)
  if (accounts <= HOST_LIMITS.accounts) return
  await countRefusal(ctx, host)
  throw new FetchError('host-budget', `${hostname} has too many new accounts within this hour`)
}

const countRefusal = (ctx: Context, host: string): Promise<unknown> =>
  ctx.db.run(sql`update host_budgets set refused = refused + 1 where host = ${host} and hour = ${thisHour}`)

/** Newest hour first; in each hour, the hosts with the most requests first. */
export function listHostBudgets(ctx: Context, hours: number, limit: number): Promise<HostBudgets[]> {
  return ctx.db.many<HostBudgets>(sql`
    select host, hour, requests, caused, accounts, refused from host_budgets
    where hour > now() - make_interval(hours => ${hours}::int) order by hour desc, requests + caused desc, host limit ${limit}`)
}

export async function deleteOldBudgets(ctx: Context): Promise<void> {
  const old: Sql[] = [
    sql`delete from host_budgets where hour < now() - interval '7 days'`,
    sql`delete from cause_budgets where started_at < now() - interval '7 days'`,
  ]
  for (const statement of old) await ctx.db.run(statement)
}
