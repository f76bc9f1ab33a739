import { sql } from '../../db/sql.ts'
import { memoized } from './cached.ts'

/** How large this server is. Active: people who were here in the last 30 or 180 days. */
export type Stats = { users: number; statuses: number; domains: number; activeMonth: number; activeHalfyear: number }

/** The figures of this server, at most a minute old. */
export const readStats = memoized(30, (ctx) =>
  ctx.db.one<Stats>(sql`
    with people as (
      select u.id, u.account_id from users u join accounts a on a.id = u.account_id
      where u.confirmed_at is not null and u.approved and a.suspended_at is null
    ), active as (
      select user_id, max(day) as day from user_active_days where day > (now() at time zone 'utc')::date - 180 group by user_id
    )
    select (select count(*)::int from people) as users,
      (select coalesce(sum(ast.statuses_count), 0)::int from people join account_stats ast on ast.account_id = people.account_id) as statuses,
      (select count(distinct domain)::int from accounts where domain is not null) as domains,
      (select count(*)::int from active join people on people.id = active.user_id where day > (now() at time zone 'utc')::date - 30) as "activeMonth",
      (select count(*)::int from active join people on people.id = active.user_id) as "activeHalfyear"`),
)

/** Of an account `a`: it is of another server, and one that is not blocked. */
const isOfPeer = sql`(a.domain is not null and not exists (
  select from domain_blocks b where b.severity = 'suspend' and (a.domain = b.domain or right(a.domain, length(b.domain) + 1) = '.' || b.domain)))`

/** The domains of servers that are known here, in order; those that are blocked are left out. At most a minute old. */
export const listPeers = memoized(60, async (ctx) => {
  const rows = await ctx.db.many<{ domain: string }>(
    sql`select distinct a.domain from accounts a where ${isOfPeer} order by a.domain`,
  )
  return rows.map(({ domain }) => domain)
})

/** The same, those first of which most people are known. At most five minutes old. */
export const listPeersBySize = memoized(300, async (ctx) => {
  const rows = await ctx.db.many<{ domain: string }>(sql`
    select a.domain from accounts a where ${isOfPeer} group by a.domain order by count(*) desc, a.domain`)
  return rows.map(({ domain }) => domain)
})
