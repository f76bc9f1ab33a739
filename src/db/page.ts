import { allOf, count, sql, type Sql } from './sql.ts'

/**
 * A page of a list that is ordered by a growing id, newest first. `maxId`: strictly older than; `sinceId`: strictly newer
 * than, still the newest page; `minId`: strictly newer than, the page right after it. `minId` wins over `sinceId`.
 */
export type Pagination = { limit: number; maxId: string | null; sinceId: string | null; minId: string | null }

/** The condition of a page on an id column, for use after `where … and`. */
export function within(column: Sql, page: Pagination): Sql {
  const after = page.minId ?? page.sinceId
  return allOf([page.maxId !== null && sql`${column} < ${page.maxId}`, after !== null && sql`${column} > ${after}`])
}

/** `order by … limit …` of a page. With `minId` the rows come oldest first: see `newestFirst`. */
export function ordered(column: Sql, page: Pagination): Sql {
  return page.minId === null
    ? sql`order by ${column} desc limit ${count(page.limit)}`
    : sql`order by ${column} asc limit ${count(page.limit)}`
}

/** The rows of a page in the order of the response. */
export function newestFirst<Row>(rows: Row[], page: Pagination): Row[] {
  return page.minId === null ? rows : rows.toReversed()
}
