// The share of new users who come back: https://docs.joinmastodon.org/methods/admin/retention/
import type { Context } from '../../context.ts'
import { name, sql } from '../../db/sql.ts'
import { isoDay } from '../../lib/dates.ts'
import { during, wholeMonths, type Period } from './period.ts'

export type Frequency = 'day' | 'month'

/** `data`: one entry for each period from that of the cohort on; the first counts everyone who signed up. */
export type RetentionCohort = { period: Date; data: { date: Date; value: number; rate: number }[] }

/** Days that a request may cover: each cohort has a figure for each period after it. */
export const MAX_RETENTION_DAYS: Readonly<Record<Frequency, number>> = { day: 92, month: 1100 }

/** Users are counted in the periods in which they were active. */
export async function readRetention(ctx: Context, asked: Period, frequency: Frequency): Promise<RetentionCohort[]> {
  const range = frequency === 'month' ? wholeMonths(asked) : asked
  const unit = sql`'${name(frequency)}'`
  const rows = await ctx.db.many<{ cohort: string; period: string; size: number; active: number }>(sql`
    with periods as (
      select generate_series(date_trunc(${unit}, ${isoDay(range.first)}::timestamp), ${isoDay(range.last)}::timestamp, '1 ${name(frequency)}')::date as period
    ), signed_up as (
      select id, date_trunc(${unit}, created_at at time zone 'utc')::date as cohort from users where ${during(range).instant(sql`created_at`)}
    ), sizes as (
      select cohort, count(*)::int as size from signed_up group by cohort
    ), actives as (
      select s.cohort, date_trunc(${unit}, d.day::timestamp)::date as period, count(distinct s.id)::int as active
      from signed_up s join user_active_days d on d.user_id = s.id and ${during(range).date(sql`d.day`)} group by 1, 2
    )
    select c.period::text as cohort, p.period::text as period, coalesce(sizes.size, 0) as size,
      case when p.period = c.period then coalesce(sizes.size, 0) else coalesce(actives.active, 0) end as active
    from periods c join periods p on p.period >= c.period
    left join sizes on sizes.cohort = c.period
    left join actives on actives.cohort = c.period and actives.period = p.period
    order by c.period, p.period`)
  const cohorts = Map.groupBy(rows, ({ cohort }) => cohort)
  return [...cohorts].map(([cohort, entries]) => ({
    period: new Date(cohort),
    data: entries.map(({ period, size, active }) => ({
      date: new Date(period),
      value: active,
      rate: size === 0 ? 0 : active / size,
    })),
  }))
}
