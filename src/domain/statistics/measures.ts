// Figures over time: https://docs.joinmastodon.org/methods/admin/measures/
import type { Context } from '../../context.ts'
import { allOf, sql, type Sql } from '../../db/sql.ts'
import { addDays, isoDay } from '../../lib/dates.ts'
import { listDomainsUnder } from '../peers/domain-policy.ts'
import { utcDay, utcDayOfId, periodBefore, during, type Period } from './period.ts'

/** Statuses that a measure of a hashtag counts. */
export const taggedStatuses = (tagId: string, period: Period): Sql => sql`
  status_tags st join statuses s on s.id = st.status_id join accounts a on a.id = s.account_id
  where st.tag_id = ${tagId}::bigint and ${during(period).id(sql`st.status_id`)} and s.visibility = 'public' and s.approval is null`

/** Favourites, boosts and replies to others by local accounts. Each has a day. */
const interactions = (period: Period): Sql => sql`
  select ${utcDay(sql`f.created_at`)} as day, 1 as value from favourites f join accounts a on a.id = f.account_id
  where ${during(period).instant(sql`f.created_at`)} and a.domain is null
  union all
  select ${utcDayOfId(sql`s.id`)}, 1 from statuses s
  where s.local and ${during(period).id(sql`s.id`)} and (s.reblog_of_id is not null or s.in_reply_to_account_id <> s.account_id)`

/** A figure of a server: what exists in all, and what came on each day. `from` has the account as `a`. */
type InstanceMeasure = { from: Sql; created: Sql; value?: Sql }

const INSTANCE = {
  instance_accounts: { from: sql`accounts a`, created: sql`a.created_at` },
  instance_media_attachments: {
    from: sql`media_attachments m join accounts a on a.id = m.account_id`,
    created: sql`m.created_at`,
    value: sql`coalesce(m.file_size, 0)`,
  },
  instance_reports: { from: sql`reports r join accounts a on a.id = r.target_account_id`, created: sql`r.created_at` },
  instance_statuses: { from: sql`statuses s join accounts a on a.id = s.account_id`, created: sql`s.created_at` },
  instance_follows: { from: sql`follows f join accounts a on a.id = f.target_account_id`, created: sql`f.created_at` },
  instance_followers: { from: sql`follows f join accounts a on a.id = f.account_id`, created: sql`f.created_at` },
} as const satisfies Record<string, InstanceMeasure>

/** `rows` selects a day and a value for each thing that happened; `total` counts different values of a period. */
type PeriodMeasure = { rows: (period: Period, param: string) => Sql; distinct?: true }

const PERIOD = {
  active_users: {
    distinct: true,
    rows: (period) =>
      sql`select day, user_id::text as value from user_active_days where ${during(period).date(sql`day`)}`,
  },
  new_users: {
    rows: (period) => sql`
      select ${utcDay(sql`created_at`)} as day, 1 as value from users where ${during(period).instant(sql`created_at`)}`,
  },
  interactions: { rows: interactions },
  opened_reports: {
    rows: (period) => sql`
      select ${utcDay(sql`created_at`)} as day, 1 as value from reports where ${during(period).instant(sql`created_at`)}`,
  },
  resolved_reports: {
    rows: (period) => sql`
      select ${utcDay(sql`action_taken_at`)} as day, 1 as value from reports
      where action_taken_at is not null and ${during(period).instant(sql`action_taken_at`)}`,
  },
  tag_accounts: {
    distinct: true,
    rows: (period, tagId) => sql`
      select ${utcDayOfId(sql`s.id`)} as day, s.account_id::text as value from ${taggedStatuses(tagId, period)}`,
  },
  tag_uses: {
    rows: (period, tagId) =>
      sql`select ${utcDayOfId(sql`s.id`)} as day, 1 as value from ${taggedStatuses(tagId, period)}`,
  },
  tag_servers: {
    distinct: true,
    rows: (period, tagId) => sql`
      select ${utcDayOfId(sql`s.id`)} as day, coalesce(a.domain, '') as value from ${taggedStatuses(tagId, period)}`,
  },
} as const satisfies Record<string, PeriodMeasure>

/** Measures of a hashtag, by its id. */
export const TAG_MEASURES = ['tag_accounts', 'tag_uses', 'tag_servers'] as const
/** Measures of a server, by its domain. */
export const INSTANCE_MEASURES = Object.keys(INSTANCE) as InstanceKey[]
export const MEASURES: readonly MeasureKey[] = [...(Object.keys(PERIOD) as PeriodKey[]), ...INSTANCE_MEASURES]

type InstanceKey = keyof typeof INSTANCE
type PeriodKey = keyof typeof PERIOD
export type MeasureKey = PeriodKey | InstanceKey

export type Measure = {
  key: MeasureKey
  unit: 'bytes' | null
  /** In the period; for servers, of all time. */
  total: number
  /** In as many days before; null for servers. */
  previousTotal: number | null
  /** One value for each day of the period. */
  data: { date: Date; value: number }[]
}

/** `param`: the id of the hashtag or the domain of the server, for measures that need one. */
export type AskedMeasure = { key: MeasureKey; param?: string; includeSubdomains?: boolean }

/** One after the other, in the order of `asked`, so that a dashboard does not take all connections. */
export async function readMeasuresInTurn(
  ctx: Context,
  period: Period,
  asked: readonly AskedMeasure[],
): Promise<Measure[]> {
  // Listing subdomains reads all known servers.
  const subdomains = new Map<string, readonly string[]>()
  const domainsOf = async ({ param = '', includeSubdomains = false }: AskedMeasure): Promise<readonly string[]> => {
    const domain = param.toLowerCase()
    if (!includeSubdomains) return [domain]
    const domains = subdomains.get(domain) ?? (await listDomainsUnder(ctx, domain))
    subdomains.set(domain, domains)
    return domains
  }
  const measures: Measure[] = []
  for (const each of asked) {
    const { key, param } = each
    measures.push(
      isOfInstance(key)
        ? await readInstanceMeasure(ctx, key, period, await domainsOf(each))
        : await readMeasure(ctx, key, period, param),
    )
  }
  return measures
}

const isOfInstance = (key: MeasureKey): key is InstanceKey => Object.hasOwn(INSTANCE, key)

/** `param`: the id of the hashtag, for its measures. */
export async function readMeasure(ctx: Context, key: PeriodKey, period: Period, param = ''): Promise<Measure> {
  const measure: PeriodMeasure = PERIOD[key]
  const both: Period = { ...period, first: periodBefore(period).first }
  const value = measure.distinct ? sql`count(distinct value)` : sql`sum(value)`
  const rows = await ctx.db.many<{ day: string | null; before: boolean; value: number }>(sql`
    select day::text as day, before, ${value}::float8 as value
    from (select day, value, day < ${isoDay(period.first)}::date as before from (${measure.rows(both, param)}) counted) each
    group by grouping sets ((day, before), (before))`)
  const totals = rows.filter(({ day }) => day === null)
  return {
    key,
    unit: null,
    total: totals.find(({ before }) => !before)?.value ?? 0,
    previousTotal: totals.find(({ before }) => before)?.value ?? 0,
    data: eachDay(period, rows),
  }
}

async function readInstanceMeasure(
  ctx: Context,
  key: InstanceKey,
  period: Period,
  domains: readonly string[],
): Promise<Measure> {
  const { from, created, value = sql`1` }: InstanceMeasure = INSTANCE[key]
  const ofDomain = sql`a.domain = any(${domains}::text[])`
  const [{ total }, rows] = await Promise.all([
    ctx.db.one<{ total: number }>(
      sql`select coalesce(sum(${value}), 0)::float8 as total from ${from} where ${ofDomain}`,
    ),
    ctx.db.many<{ day: string; value: number }>(sql`
      select ${utcDay(created)}::text as day, sum(${value})::float8 as value from ${from}
      where ${allOf([ofDomain, during(period).instant(created)])} group by 1`),
  ])
  const unit = key === 'instance_media_attachments' ? 'bytes' : null
  return { key, unit, total, previousTotal: null, data: eachDay(period, rows) }
}

function eachDay({ first, days }: Period, rows: readonly { day: string | null; value: number }[]): Measure['data'] {
  const values = new Map(rows.map(({ day, value }) => [day, value]))
  return Array.from({ length: days }, (_, i) => {
    const date = addDays(first, i)
    return { date, value: values.get(isoDay(date)) ?? 0 }
  })
}
