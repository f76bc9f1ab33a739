import { allOf, count, sql, type Sql } from './sql.ts'

/**
 * For a list ordered by a growing id, newest first. `maxId`: strictly older. `sinceId`: strictly newer, still the newest page.
 * `minId`: strictly newer, the page right after it; wins over `sinceId`.
 */
export type Pagination = { limit: number; maxId: string | null; sinceId: string | null; minId: string | null }

export const newestPage = (limit: number): Pagination => ({ limit, maxId: null, sinceId: null, minId: null })

/** For a list without such ids. */
export type OffsetPage = { limit: number; offset: number }

/** Both, as most lists need them: the condition stands last, before the order. Its rows go through `newestFirst`. */
export const onPage = (column: Sql, page: Pagination): Sql => sql`${within(column, page)} ${ordered(column, page)}`

export function within(column: Sql, page: Pagination): Sql {
  const after = page.minId ?? page.sinceId
  return allOf([page.maxId !== null && sql`${column} < ${page.maxId}`, after !== null && sql`${column} > ${after}`])
}

/** With `minId`, the rows come oldest first: see `newestFirst`. */
export function ordered(column: Sql, page: Pagination): Sql {
  return page.minId === null
    ? sql`order by ${column} desc limit ${count(page.limit)}`
    : sql`order by ${column} asc limit ${count(page.limit)}`
}

export function newestFirst<Row>(rows: Row[], page: Pagination): Row[] {
  return page.minId === null ? rows : rows.toReversed()
}

/** What follows the row with this id, in the direction of the page. */
export const continuedAfter = (page: Pagination, id: string): Pagination =>
  page.minId === null ? { ...page, maxId: id } : { ...page, minId: id }
