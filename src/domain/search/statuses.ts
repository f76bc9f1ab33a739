import type { Context } from '../../context.ts'
import { type Sql, allOf, sql } from '../../db/sql.ts'
import { isDay, parseInstant } from '../../lib/dates.ts'
import { clampId, idAt, LAST_ID } from '../../lib/ids.ts'
import { lookupHandle } from '../accounts/find.ts'
import { filterFindable, type FindableRules, hasExceptions, isFindable, type Range } from './findable.ts'
import { fact } from './status-document.ts'
import { type Clause, parseStatusQuery, phraseOf } from './status-query.ts'

type StatusSearch = {
  q: string
  limit: number
  offset: number
  accountId: string | null
  /** Exclusive. */
  maxId: string | null
  minId: string | null
}

/** Pages beyond this offset are empty. */
const MAX_OFFSET = 10_000

/** The newest shares of the index are read first: they fill most pages. */
const NEWEST_SHARES = 4

const MAX_SORTED = 500

/** Statuses of a search that are checked in memory. */
const MAX_IN_MEMORY = 100

/** Milliseconds for older shares: phrases of common words that are rarely adjacent may take longer. */
const MAX_MS = 200
const SHARES_AT_ONCE = 64

/** The first terms have a condition each, which lets the index skip; the other terms share one. */
const SEPARATE_TERMS = 6

/**
 * Newest first: the viewer's own statuses, those that the viewer favourited or bookmarked or is mentioned in, and
 * public ones by indexable authors. Leaves out statuses that the viewer may not see, and accounts that the viewer
 * blocks or mutes.
 */
export async function searchStatuses(ctx: Context, viewer: SearchViewer, search: StatusSearch): Promise<string[]> {
  const clauses = parseStatusQuery(search.q)
  if (clauses.length === 0 || search.offset >= MAX_OFFSET || search.minId === LAST_ID) return []
  const searchPlan = await planSearch(ctx, viewer, clauses, search)
  if (!searchPlan) return []
  const limit = search.offset + search.limit
  const ids = await findMatches(ctx, searchPlan, limit)
  return [...new Set(ids)].slice(search.offset, limit)
}

async function findMatches(ctx: Context, searchPlan: SearchPlan, limit: number): Promise<string[]> {
  const { ids: found, more } = await findNewest(ctx, searchPlan, limit)
  if (found.length >= limit || !more) return found
  const { n, ids } = await searchAll(ctx, searchPlan, limit)
  if (n <= MAX_SORTED) return ids
  const shares = (await ctx.db.many<{ lower_id: string }>(sharesIn(searchPlan.range)))
    .slice(NEWEST_SHARES)
    .map((row) => row.lower_id)
  const end = performance.now() + MAX_MS
  while (found.length < limit && shares.length > 0 && performance.now() < end)
    found.push(...(await searchShares(ctx, searchPlan, shares.splice(0, SHARES_AT_ONCE), limit - found.length)))
  return found
}

type SearchViewer = { accountId: string; userId: string }

type SearchPlan = FindableRules & {
  /** Terms that a document must contain, and those that it must not, as `tsquery` texts. */
  required: readonly string[]
  excluded: readonly string[]
  range: Range
  viewer: SearchViewer
}

/** Null when nothing can match. */
async function planSearch(
  ctx: Context,
  viewer: SearchViewer,
  clauses: readonly Clause[],
  search: StatusSearch,
): Promise<SearchPlan | null> {
  const me = viewer.accountId
  const [authors, dates] = await Promise.all([
    Promise.all(clauses.map((clause) => (clause.kind === 'from' ? authorOf(ctx, me, clause.handle) : null))),
    readDates(
      ctx,
      viewer.userId,
      clauses.flatMap((clause) => (clause.kind === 'date' ? [clause.date] : [])),
    ),
  ])
  const required = new Set([readableBy(me, clauses)])
  const excluded = new Set<string>()
  const gaps: Range[] = []
  let range: Range = {
    from: search.minId === null ? '0' : String(BigInt(search.minId) + 1n),
    to: search.maxId ?? LAST_ID,
  }
  if (search.accountId !== null) required.add(`'${fact.author(search.accountId)}'`)
  for (const [i, clause] of clauses.entries()) {
    const lexemes = clause.not ? excluded : required
    if (clause.kind === 'words') lexemes.add(phraseOf(clause.words))
    if (clause.kind === 'fact') lexemes.add(`'${clause.lexeme}'`)
    if (clause.kind === 'from') lexemes.add(`'${fact.author(authors[i] ?? '0')}'`)
    if (clause.kind === 'date') {
      const time = timeOf(clause, dates.get(clause.date) as Range)
      if (clause.not) gaps.push(time)
      else range = narrow(range, time)
    }
  }
  const notIn = (where: string): boolean =>
    clauses.some((clause) => clause.kind === 'in' && clause.not && clause.where === where)
  if (notIn('all') || required.intersection(excluded).size > 0 || BigInt(range.from) >= BigInt(range.to)) return null
  return {
    required: [...required],
    excluded: [...excluded],
    range,
    gaps,
    notOpen: notIn('public'),
    notInLibrary: notIn('library'),
    viewer,
  }
}

async function authorOf(ctx: Context, me: string, handle: string): Promise<string | null> {
  return handle.toLowerCase() === 'me' ? me : ((await lookupHandle(ctx, handle))?.id ?? null)
}

type DateClause = Extract<Clause, { kind: 'date' }>

function timeOf({ operator }: DateClause, date: Range): Range {
  if (operator === 'before') return { from: '0', to: date.from }
  return operator === 'after' ? { from: date.to, to: LAST_ID } : date
}

/** Restricts documents to those that the viewer can find; with `in:`, to the library or to public ones. */
function readableBy(me: string, clauses: readonly Clause[]): string {
  const own = [fact.author(me), fact.reader(me)]
  const places = { all: [fact.open, ...own], library: own, public: [fact.open] }
  const chosen = clauses.flatMap((clause) => (clause.kind === 'in' && !clause.not ? clause.where : []))
  return places[chosen.findLast((where) => where !== 'all') ?? 'all'].map((place) => `'${place}'`).join(' | ')
}

const bracket = (parts: readonly string[], operator: string): string => parts.map((part) => `(${part})`).join(operator)

/** Phrases keep their positions. */
function exactTerms({ required, excluded }: SearchPlan): string[] {
  return excluded.length === 0 ? [...required] : [...required, `!(${bracket(excluded, ' | ')})`]
}

/** The index knows words, but not their positions. */
function indexableTerms({ required, excluded }: SearchPlan): string[] {
  const words = required.map((each) => each.replace(/ <\d+> /g, ' & '))
  const single = excluded.filter((each) => !/ <\d+> /.test(each))
  return single.length === 0 ? words : [...words, `!(${bracket(single, ' | ')})`]
}

/** A condition on a document `d`. Its text has few variants, whatever the query: PostgreSQL plans each of them. */
function matches(terms: readonly string[], range: Range): Sql {
  const rest = terms.slice(SEPARATE_TERMS)
  const conditions = [...terms.slice(0, SEPARATE_TERMS), ...(rest.length === 0 ? [] : [bracket(rest, ' & ')])]
  return allOf([
    ...conditions.map((key) => sql`d.document @@ ${key}::tsquery`),
    sql`d.status_id >= ${range.from} and d.status_id < ${range.to}`,
  ])
}

/** Newest first. */
const sharesIn = ({ from, to }: Range): Sql => sql`
  select lower_id from search_shares
  where lower_id < ${to} and lower_id >= (select max(lower_id) from search_shares where lower_id <= ${from})
  order by lower_id desc`

/** `more`: whether there are older shares. */
type Newest = { ids: string[]; more: boolean }

/**
 * Nearly all that the index finds may be shown: so the newest are checked in memory, and PostgreSQL checks them only when too
 * few are left.
 */
async function findNewest(ctx: Context, searchPlan: SearchPlan, limit: number): Promise<Newest> {
  const shares = sharesIn(searchPlan.range)
  const newest = sql`(${shares} limit ${NEWEST_SHARES}::int)`
  const more = sql`exists (${shares} offset ${NEWEST_SHARES}::int) as more`
  if (limit <= MAX_IN_MEMORY && !hasExceptions(searchPlan)) {
    const { viewer } = searchPlan
    const found = await ctx.db.one<Newest & { mentioning: string[] }>(sql`
      with found as materialized (${foundIn(newest, sql`${hitsIn(searchPlan)} limit ${limit}`, limit)})
      select array(select id from found) as ids, ${more}, array(
        select x.status_id from found join mentions x on x.status_id = found.id and x.account_id = ${viewer.accountId}) as mentioning`)
    const ids = await filterFindable(ctx, viewer, found.ids, new Set(found.mentioning))
    if (ids.length === found.ids.length || found.ids.length < limit) return { ids, more: found.more }
  }
  return ctx.db.one(sql`select array(${foundIn(newest, findableIn(searchPlan, limit), limit)}) as ids, ${more}`)
}

async function searchShares(
  ctx: Context,
  searchPlan: SearchPlan,
  shares: readonly string[],
  limit: number,
): Promise<string[]> {
  const found = foundIn(sql`unnest(${shares}::bigint[])`, findableIn(searchPlan, limit), limit)
  const rows = await ctx.db.many<{ id: string }>(found)
  return rows.map(({ id }) => id)
}

/** Reads share after share until it has found `limit` statuses. */
const foundIn = (shares: Sql, inShare: Sql, limit: number): Sql => sql`
  select found.id from ${shares} share (lower_id) cross join lateral (${inShare}) found limit ${limit}`

/** The statuses in a share that match, newest first, whether the viewer may find them or not. */
const hitsIn = (searchPlan: SearchPlan): Sql => sql`
  select distinct d.status_id as id from status_search d
  where d.document @@ (${`'${fact.share('')}`} || share.lower_id || '''')::tsquery
    and ${matches(exactTerms(searchPlan), searchPlan.range)}
  order by d.status_id desc`

const findableIn = (searchPlan: SearchPlan, limit: number): Sql => sql`
  select s.id from (${hitsIn(searchPlan)} offset 0) hit
  join statuses s on s.id = hit.id join accounts a on a.id = s.account_id
  where ${isFindable(searchPlan)} order by hit.id desc limit ${limit}`

/** Reads all shares at once. `n`: the number of candidates, at most MAX_SORTED + 1. */
async function searchAll(ctx: Context, searchPlan: SearchPlan, limit: number): Promise<{ n: number; ids: string[] }> {
  return ctx.db.one(sql`
    with hits as materialized (
      select d.status_id, d.document from status_search d where ${matches(indexableTerms(searchPlan), searchPlan.range)} limit ${MAX_SORTED + 1}
    )
    select (select count(*)::int from hits) as n, array(
      select s.id from (
        select distinct status_id from hits where document @@ ${bracket(exactTerms(searchPlan), ' & ')}::tsquery
        order by status_id desc offset 0
      ) hit join statuses s on s.id = hit.status_id join accounts a on a.id = s.account_id
      where ${isFindable(searchPlan)} order by hit.status_id desc limit ${limit}
    ) as ids`)
}

function narrow(a: Range, b: Range): Range {
  return {
    from: BigInt(a.from) > BigInt(b.from) ? a.from : b.from,
    to: BigInt(a.to) < BigInt(b.to) ? a.to : b.to,
  }
}

/** Days in the user's time zone, and instants, as ranges of ids. */
async function readDates(ctx: Context, userId: string, dates: readonly string[]): Promise<Map<string, Range>> {
  if (dates.length === 0) return new Map()
  const user = await ctx.db.maybe<{ time_zone: string | null }>(sql`select time_zone from users where id = ${userId}`)
  const zone = user?.time_zone ?? 'UTC'
  return new Map(dates.map((date) => [date, rangeOf(date, zone)]))
}

function rangeOf(date: string, timeZone: string): Range {
  const instant = isDay(date) ? null : parseInstant(date)
  if (instant) return { from: idOf(instant.getTime()), to: idOf(instant.getTime() + 1000) }
  const day = Temporal.PlainDate.from(date)
  const idAtStart = (each: Temporal.PlainDate): string => idOf(midnight(each, timeZone).epochMilliseconds)
  return { from: idAtStart(day), to: idAtStart(day.add({ days: 1 })) }
}

const idOf = (ms: number): string => clampId(idAt(new Date(ms))) ?? LAST_ID

function midnight(date: Temporal.PlainDate, timeZone: string): Temporal.ZonedDateTime {
  try {
    return date.toZonedDateTime(timeZone)
  } catch {
    // The system does not know the time zone.
    return date.toZonedDateTime('UTC')
  }
}
