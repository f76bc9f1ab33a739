import { sql } from '../../db/sql.ts'
import { idAt } from '../../lib/ids.ts'
import { memoized } from './cached.ts'

/** One week, from Monday 00:00 UTC: posts made here, people who were here, people who came. */
export type Week = { start: Date; statuses: number; logins: number; registrations: number }

const WEEKS = 12
const DAY = 86_400_000

/** The last twelve weeks, the current one first. Counting posts of a large server takes a moment, so it is done every ten minutes. */
export const readActivity = memoized(600, async (ctx) => {
  const starts = weekStarts(new Date())
  const rows = await ctx.db.many<Omit<Week, 'start'>>(sql`
    select
      (select count(*)::int from statuses s where s.local and s.reblog_of_id is null and s.id >= w.from_id and s.id < w.to_id) as statuses,
      (select count(distinct d.user_id)::int from user_active_days d where d.day >= w.day and d.day < w.day + 7) as logins,
      (select count(*)::int from users u where u.created_at >= w.day::timestamp at time zone 'utc' and u.created_at < (w.day + 7)::timestamp at time zone 'utc') as registrations
    from unnest(${starts.map((start) => start.toISOString().slice(0, 10))}::date[],
      ${starts.map((start) => idAt(start))}::bigint[], ${starts.map((start) => idAt(new Date(start.getTime() + 7 * DAY)))}::bigint[])
      with ordinality w (day, from_id, to_id, n) order by w.n`)
  return rows.map((row, i): Week => ({ start: starts[i] as Date, ...row }))
})

/** Mondays, the newest first. */
function weekStarts(now: Date): Date[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = today - ((now.getUTCDay() + 6) % 7) * DAY
  return Array.from({ length: WEEKS }, (_, i) => new Date(monday - i * 7 * DAY))
}
