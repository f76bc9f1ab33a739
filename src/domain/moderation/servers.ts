// Other servers, as administrators see them.
import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import type { PeerTraffic, Peers } from '../../db/schema.ts'
import { allOf, nothing, sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { flushTraffic, isRecentDay, RECENT_DAYS } from '../peers/traffic.ts'

export type ServerState = 'working' | 'failing' | 'stopped'

export type ServerRow = Pick<
  Peers,
  | 'domain'
  | 'first_seen_at'
  | 'last_success_at'
  | 'failing_since'
  | 'retry_at'
  | 'software'
  | 'software_version'
  | 'users_count'
  | 'node_info_at'
  | 'stopped_at'
> & {
  accounts: number
  /** Follows of its accounts by local accounts, and the other way round. */
  following: number
  followers: number
  /** Within RECENT_DAYS. */
  received: number
  delivered: number
  failed: number
}

export type ServerFilter = {
  search?: string
  state?: ServerState
  /** The rule for the server itself or a parent domain. */
  rule?: 'suspend' | 'silence' | 'noop' | 'allowed'
  software?: string
}

const facts: Sql = sql`p.domain, p.first_seen_at, p.last_success_at, p.failing_since, p.retry_at, p.software, p.software_version,
  p.users_count, p.node_info_at, p.stopped_at`

const counts: Sql = sql`
  (select count(*)::int from accounts a where a.domain = p.domain) as accounts,
  (select count(*)::int from follows f join accounts a on a.id = f.target_account_id join accounts l on l.id = f.account_id and l.domain is null
    where a.domain = p.domain) as following,
  (select count(*)::int from follows f join accounts a on a.id = f.account_id join accounts l on l.id = f.target_account_id and l.domain is null
    where a.domain = p.domain) as followers,
  coalesce(t.received, 0) as received, coalesce(t.delivered, 0) as delivered, coalesce(t.failed, 0) as failed`

const recentTraffic: Sql = sql`left join lateral (
  select sum(received)::int as received, sum(delivered)::int as delivered, sum(failed)::int as failed
  from peer_traffic t where t.domain = p.domain and ${isRecentDay}) t on true`

const STATES: Record<ServerState, Sql> = {
  working: sql`p.failing_since is null and p.stopped_at is null`,
  failing: sql`p.failing_since is not null and p.stopped_at is null`,
  stopped: sql`p.stopped_at is not null`,
}

export const SERVER_ORDERS = ['domain', 'accounts', 'received', 'failed'] as const
export type ServerOrder = (typeof SERVER_ORDERS)[number]

const trafficOf = (column: Sql): Sql =>
  sql`select domain, sum(${column}) as size from peer_traffic where ${isRecentDay} group by domain`

/** By order: the domains with the number by which they are sorted, largest first. */
const SIZES: Record<Exclude<ServerOrder, 'domain'>, Sql> = {
  accounts: sql`select domain, count(*) as size from accounts where domain is not null group by domain`,
  received: trafficOf(sql`received`),
  failed: trafficOf(sql`failed`),
}

/** By name unless given. The page is chosen before anything else is counted. `hasMore`: there is another page. */
export async function listServers(
  ctx: Context,
  filter: ServerFilter,
  { limit, offset }: OffsetPage,
  order: ServerOrder = 'domain',
): Promise<{ servers: ServerRow[]; hasMore: boolean }> {
  await flushTraffic(ctx)
  const { search = '', state, rule, software } = filter
  const sizes = order === 'domain' ? nothing : sql`left join (${SIZES[order]}) s on s.domain = p.domain`
  const bySize = order === 'domain' ? nothing : sql`coalesce(s.size, 0) desc,`
  const rows = await ctx.db.many<ServerRow>(sql`
    with page as (
      select ${facts}, row_number() over (order by ${bySize} p.domain) as place
      from peers p ${sizes}
      where ${allOf([
        search !== '' && sql`position(${search.toLowerCase()} in p.domain) > 0`,
        state && STATES[state],
        rule === 'allowed' && sql`exists (select from domain_allows w where ${isUnder(sql`w.domain`)})`,
        rule !== undefined &&
          rule !== 'allowed' &&
          sql`exists (select from domain_blocks b where b.severity = ${rule} and ${isUnder(sql`b.domain`)})`,
        software !== undefined && software !== '' && sql`p.software = ${software}`,
      ])}
      order by place limit ${limit + 1} offset ${offset}
    )
    select ${facts}, ${counts} from page p ${recentTraffic} order by p.place`)
  return { servers: rows.slice(0, limit), hasMore: rows.length > limit }
}

const isUnder = (rule: Sql): Sql => sql`(p.domain = ${rule} or right(p.domain, length(${rule}) + 1) = '.' || ${rule})`

/** Throws NotFound for a server that is not known. */
export async function getServer(ctx: Context, domain: string): Promise<ServerRow> {
  await flushTraffic(ctx)
  const row = await ctx.db.maybe<ServerRow>(
    sql`select ${facts}, ${counts} from peers p ${recentTraffic} where p.domain = ${domain}`,
  )
  if (!row) throw new NotFound()
  return row
}

export const isKnownServer = async (ctx: Context, domain: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from peers where domain = ${domain}`)) !== null

export async function countServerStates(ctx: Context): Promise<Record<'all' | ServerState, number>> {
  return ctx.db.one(sql`
    select count(*)::int as all, count(*) filter (where ${STATES.working})::int as working,
      count(*) filter (where ${STATES.failing})::int as failing, count(*) filter (where ${STATES.stopped})::int as stopped
    from peers p`)
}

/** The names of software that is known, the most frequent first. */
export const listSoftware = (ctx: Context): Promise<{ software: string; count: number }[]> =>
  ctx.db.many(sql`
    select software, count(*)::int as count from peers where software is not null group by software order by count(*) desc, software limit 30`)

export type TrafficDay = Pick<PeerTraffic, 'received' | 'delivered' | 'failed'> & { day: string }

/** RECENT_DAYS, the oldest first, without gaps. */
export const listTraffic = (ctx: Context, domain: string): Promise<TrafficDay[]> =>
  ctx.db.many<TrafficDay>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(t.received, 0) as received, coalesce(t.delivered, 0) as delivered, coalesce(t.failed, 0) as failed
    from generate_series(current_date - ${RECENT_DAYS - 1}::int, current_date, interval '1 day') d (day)
    left join peer_traffic t on t.domain = ${domain} and t.day = d.day::date order by d.day`)

/** Hosts that receive the posts of a server's accounts, which may differ from its domain. */
export const listInboxHosts = async (ctx: Context, domain: string): Promise<string[]> => {
  const rows = await ctx.db.many<{ host: string }>(sql`
    select distinct lower(split_part(inbox, '/', 3)) as host from (
      select coalesce(shared_inbox_url, inbox_url) as inbox from accounts where domain = ${domain} and inbox_url is not null limit 1000
    ) inboxes where inbox is not null limit 10`)
  return [...new Set([domain, ...rows.map(({ host }) => host)])]
}

/** Closes the circuit breakers of the hosts. */
export async function clearHostFailures(tx: Context, hosts: readonly string[]): Promise<void> {
  await tx.db.run(sql`update peers set failing_since = null, retry_at = null where domain = any(${hosts}::text[])`)
}

export async function stopDeliveries(tx: Context, hosts: readonly string[], stopped: boolean): Promise<void> {
  await tx.db.run(sql`
    update peers set stopped_at = case when ${stopped} then coalesce(stopped_at, now()) end where domain = any(${hosts}::text[])`)
}

/** The next accounts of a domain, for a purge. */
export const listAccountsToPurge = async (ctx: Context, domain: string, after: string): Promise<string[]> =>
  (
    await ctx.db.many<{ id: string }>(
      sql`select id from accounts where domain = ${domain} and id > ${after} order by id limit 100`,
    )
  ).map(({ id }) => id)
