import { sql, today } from '../../db/sql.ts'
import { memoized } from './settings.ts'
import { addDays, isoDay } from '../../lib/dates.ts'
import { idAt } from '../../lib/ids.ts'
import { hasJoined } from '../users/states.ts'

/** Active users used this server in the last 30 or 180 days. */
type Stats = { users: number; statuses: number; domains: number; activeMonth: number; activeHalfyear: number }

export const readStats = memoized(30, (ctx) =>
  ctx.db.one<Stats>(sql`
    with people as (
      select u.id, u.account_id from users u join accounts a on a.id = u.account_id
      where ${hasJoined} and a.suspended_at is null
    ), active as (
      select user_id, max(day) as day from user_active_days where day > ${today} - 180 group by user_id
    )
    select (select count(*)::int from people) as users,
      (select coalesce(sum(ast.statuses_count), 0)::int from people join account_stats ast on ast.account_id = people.account_id) as statuses,
      (select count(distinct domain)::int from accounts where domain is not null) as domains,
      (select count(*)::int from active join people on people.id = active.user_id where day > ${today} - 30) as "activeMonth",
      (select count(*)::int from active join people on people.id = active.user_id) as "activeHalfyear"`),
)

/** The condition that an account `a` is remote, and its server not blocked. */
const isOfPeer = sql`(a.domain is not null and not exists (
  select from domain_blocks b where b.severity = 'suspend' and (a.domain = b.domain or right(a.domain, length(b.domain) + 1) = '.' || b.domain)))`

export const listPeers = memoized(60, async (ctx) => {
  const rows = await ctx.db.many<{ domain: string }>(
    sql`select distinct a.domain from accounts a where ${isOfPeer} order by a.domain`,
  )
  return rows.map(({ domain }) => domain)
})

/** The servers with the most known accounts first. */
export const listPeersBySize = memoized(300, async (ctx) => {
  const rows = await ctx.db.many<{ domain: string }>(sql`
    select a.domain from accounts a where ${isOfPeer} group by a.domain order by count(*) desc, a.domain`)
  return rows.map(({ domain }) => domain)
})

/** One week from Monday 00:00 UTC. `logins`: users who were active. */
type Week = { start: Date; statuses: number; logins: number; registrations: number }

const WEEKS = 12

/** The current week first. Cached for ten minutes, as counting the posts of a large server is slow. */
export const readActivity = memoized(600, async (ctx) => {
  const starts = weekStarts(new Date())
  const rows = await ctx.db.many<Omit<Week, 'start'>>(sql`
    select
      (select count(*)::int from statuses s where s.local and s.reblog_of_id is null and s.id >= w.from_id and s.id < w.to_id) as statuses,
      (select count(distinct d.user_id)::int from user_active_days d where d.day >= w.day and d.day < w.day + 7) as logins,
      (select count(*)::int from users u where u.created_at >= w.day::timestamp at time zone 'utc' and u.created_at < (w.day + 7)::timestamp at time zone 'utc') as registrations
    from unnest(${starts.map(isoDay)}::date[],
      ${starts.map((start) => idAt(start))}::bigint[], ${starts.map((start) => idAt(addDays(start, 7)))}::bigint[])
      with ordinality w (day, from_id, to_id, n) order by w.n`)
  return rows.map((row, i): Week => ({ start: starts[i] as Date, ...row }))
})

/** Mondays at 00:00 UTC, the latest first. */
function weekStarts(now: Date): Date[] {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const monday = addDays(midnight, -((now.getUTCDay() + 6) % 7))
  return Array.from({ length: WEEKS }, (_, i) => addDays(monday, -7 * i))
}
