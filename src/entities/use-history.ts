// How often hashtags and links were used in the last seven days.
import Type, { type Static } from 'typebox'
import { name, sql, type Sql, today } from '../db/sql.ts'

/** The current day first; `day` is a Unix time, numbers are strings. */
export const UseHistory = Type.Array(
  Type.Object({ day: Type.String(), uses: Type.String(), accounts: Type.String() }, { $id: 'UseHistory' }),
)

/** `day`: since the epoch. */
export type DayOfUse = { day: number; uses: number; accounts: number }

const DAYS = 7
const DAY_SECONDS = 86_400

/**
 * Adds up the sums of past days, and the uses that are not in these sums yet: those of today, and of a day that has just ended.
 */
const historyOf = (uses: Sql, days: Sql, item: Sql, id: Sql): Sql => sql`coalesce((
  select json_agg(json_build_object('day', day - date '1970-01-01', 'uses', uses, 'accounts', accounts)) from (
    select day, sum(uses) as uses, sum(accounts) as accounts from (
      select day, uses, accounts from ${days} where ${item} = ${id} and day > ${today} - ${DAYS}::int
      union all
      select day, sum(uses), count(*) from ${uses} where ${item} = ${id} and day = any(${lastDays}) group by day
    ) counted group by day
  ) each), '[]')`

const lastDays: Sql = sql`array(select ${today} - ago from generate_series(0, ${DAYS - 1}::int) ago)`

export const tagHistory = (id: Sql): Sql => historyOf(name('tag_uses'), name('tag_days'), name('tag_id'), id)
export const linkHistory = (id: Sql): Sql => historyOf(name('link_uses'), name('link_days'), name('card_id'), id)

export function presentUseHistory(history: readonly DayOfUse[]): Static<typeof UseHistory> {
  const current = Math.floor(Date.now() / 1000 / DAY_SECONDS)
  return Array.from({ length: DAYS }, (_, ago) => {
    const use = history.find(({ day }) => day === current - ago)
    return {
      day: String((current - ago) * DAY_SECONDS),
      uses: String(use?.uses ?? 0),
      accounts: String(use?.accounts ?? 0),
    }
  })
}
