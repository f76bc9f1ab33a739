import type { Context } from '../../context.ts'
import { type Sql, allOf, sql } from '../../db/sql.ts'
import { lookupHandle } from '../accounts/find.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { fact } from './status-index.ts'
import { type Clause, parseStatusQuery, phraseOf } from './status-query.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { idAt } from '../../lib/ids.ts'

type StatusSearch = {
  q: string
  limit: number
  offset: number
  /** Only posts of this account. */
  accountId: string | null
  /** Only posts with a lower, or a higher, id. */
  maxId: string | null
  minId: string | null
}

/** Further pages are empty. */
const FURTHEST = 10_000

/** How many shares of the newest posts are looked through before anything else: most pages are full by then. */
const NEWEST_SHARES = 4

/** What is rare enough to be sorted. */
const FEW = 500

/** How long a search goes on beyond that: phrases of common words that hardly ever meet may take it. Milliseconds. */
const PATIENCE = 200
const SHARES_AT_ONCE = 16

/** So many things that are asked for are looked up each by itself, which lets the index leap; the rest together. */
const APART = 6

/**
 * The ids of posts that match, the newest first: of those that the person wrote, keeps or is mentioned in, and of public ones
 * whose authors let themselves be found. Nothing that the person may not read, and nobody they blocked or muted.
 */
export async function searchStatuses(ctx: Context, viewer: Person, search: StatusSearch): Promise<string[]> {
  const clauses = parseStatusQuery(search.q)
  if (clauses.length === 0 || search.offset >= FURTHEST || search.minId === LAST_ID) return []
  const sought = await plan(ctx, viewer, clauses, search)
  if (!sought) return []
  const wanted = search.offset + search.limit
  const ids = await find(ctx, sought, wanted)
  return [...new Set(ids)].slice(search.offset, wanted)
}

/** The newest `wanted` posts, or all there are. */
async function find(ctx: Context, sought: Sought, wanted: number): Promise<string[]> {
  const shares = await sharesIn(ctx, sought.range)
  const found = await walk(ctx, sought, shares.splice(0, NEWEST_SHARES), wanted)
  if (found.length >= wanted || shares.length === 0) return found
  const { n, ids } = await sortAll(ctx, sought, wanted)
  if (n <= FEW) return ids
  const end = performance.now() + PATIENCE
  while (found.length < wanted && shares.length > 0 && performance.now() < end)
    found.push(...(await walk(ctx, sought, shares.splice(0, SHARES_AT_ONCE), wanted - found.length)))
  return found
}

type Person = { accountId: string; userId: string }

type Sought = {
  /** What must be in a document, and what must not. */
  asked: readonly string[]
  refused: readonly string[]
  /** Between which ids, and between which not. */
  range: Range
  gaps: readonly Range[]
  /** What must not be so: that it is open to all, that it is the person's own or kept by them. */
  notOpen: boolean
  notInLibrary: boolean
  viewer: Person
}

/** Null when nothing can match. */
async function plan(
  ctx: Context,
  viewer: Person,
  clauses: readonly Clause[],
  search: StatusSearch,
): Promise<Sought | null> {
  const me = viewer.accountId
  const [authors, days] = await Promise.all([
    Promise.all(clauses.map((clause) => (clause.kind === 'from' ? authorOf(ctx, me, clause.handle) : null))),
    daysOf(
      ctx,
      viewer.userId,
      clauses.flatMap((clause) => (clause.kind === 'date' ? [clause.day] : [])),
    ),
  ])
  const asked = new Set([readableBy(me, clauses)])
  const refused = new Set<string>()
  const gaps: Range[] = []
  let range: Range = {
    from: search.minId === null ? '0' : String(BigInt(search.minId) + 1n),
    to: search.maxId ?? LAST_ID,
  }
  if (search.accountId !== null) asked.add(`'${fact.author(search.accountId)}'`)
  for (const [i, clause] of clauses.entries()) {
    const lexemes = clause.not ? refused : asked
    if (clause.kind === 'words') lexemes.add(phraseOf(clause.words))
    if (clause.kind === 'fact') lexemes.add(`'${clause.lexeme}'`)
    if (clause.kind === 'from') lexemes.add(`'${fact.author(authors[i] ?? '0')}'`)
    if (clause.kind === 'date') {
      const time = timeOf(clause, days.get(clause.day) as { start: string; end: string })
      if (clause.not) gaps.push(time)
      else range = narrow(range, time)
    }
  }
  const notIn = (where: string): boolean =>
    clauses.some((clause) => clause.kind === 'in' && clause.not && clause.where === where)
  if (notIn('all') || asked.intersection(refused).size > 0 || BigInt(range.from) >= BigInt(range.to)) return null
  return {
    asked: [...asked],
    refused: [...refused],
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

function timeOf({ operator }: DateClause, day: { start: string; end: string }): Range {
  if (operator === 'before') return { from: '0', to: day.start }
  return operator === 'after' ? { from: day.end, to: LAST_ID } : { from: day.start, to: day.end }
}

/** Which documents are the person's to look at; with `in:`, only some of them. */
function readableBy(me: string, clauses: readonly Clause[]): string {
  const own = [fact.author(me), fact.reader(me)]
  const where = clauses.findLast((clause) => clause.kind === 'in' && !clause.not && clause.where !== 'all')
  const places = where?.kind !== 'in' ? [fact.open, ...own] : where.where === 'library' ? own : [fact.open]
  return places.map((place) => `'${place}'`).join(' | ')
}

const bracket = (parts: readonly string[], operator: string): string => parts.map((part) => `(${part})`).join(operator)

/** Everything that a document must be like, each by itself. */
function exactly({ asked, refused }: Sought): string[] {
  return refused.length === 0 ? [...asked] : [...asked, `!(${bracket(refused, ' | ')})`]
}

/** The same as far as an index can tell: it knows which words there are, but not where. */
function loosely({ asked, refused }: Sought): string[] {
  const words = asked.map((each) => each.replace(/ <\d+> /g, ' & '))
  const single = refused.filter((each) => !/ <\d+> /.test(each))
  return single.length === 0 ? words : [...words, `!(${bracket(single, ' | ')})`]
}

/** The condition on a document `d`. A handful of texts, whatever is looked for: each is a statement to be planned. */
function isLike(keys: readonly string[], range: Range): Sql {
  const rest = keys.slice(APART)
  const apart = [...keys.slice(0, APART), ...(rest.length === 0 ? [] : [bracket(rest, ' & ')])]
  return allOf([
    ...apart.map((key) => sql`d.document @@ ${key}::tsquery`),
    sql`d.status_id >= ${range.from} and d.status_id < ${range.to}`,
  ])
}

const isOpen: Sql = sql`(s.visibility = 'public' and a.indexable)`

const isInLibraryOf = (me: string): Sql => sql`(s.account_id = ${me}
  or exists (select from mentions x where x.status_id = s.id and x.account_id = ${me})
  or exists (select from favourites x where x.status_id = s.id and x.account_id = ${me})
  or exists (select from bookmarks x where x.status_id = s.id and x.account_id = ${me}))`

/** The rules that the index only foretells, on a status `s` by `a`: a moment ago it may have been otherwise. */
function mayBeFound({ viewer, gaps, notOpen, notInLibrary }: Sought): Sql {
  const me = viewer.accountId
  const [from, to] = [gaps.map((gap) => gap.from), gaps.map((gap) => gap.to)]
  return allOf([
    visibleTo(viewer),
    notHiddenFrom(viewer),
    sql`(${isOpen} or ${isInLibraryOf(me)})`,
    sql`not (${notOpen}::boolean and ${isOpen})`,
    sql`not (${notInLibrary}::boolean and ${isInLibraryOf(me)})`,
    sql`not exists (
      select from unnest(${from}::bigint[], ${to}::bigint[]) gap (low, high) where s.id >= gap.low and s.id < gap.high)`,
  ])
}

/** The shares between which posts may be, the newest first. */
async function sharesIn(ctx: Context, { from, to }: Range): Promise<string[]> {
  const rows = await ctx.db.many<{ lower_id: string }>(sql`
    select lower_id from search_shares
    where lower_id < ${to} and lower_id >= (select max(lower_id) from search_shares where lower_id <= ${from})
    order by lower_id desc`)
  return rows.map((row) => row.lower_id)
}

/** Share by share, only as far as it takes to find so many. */
async function walk(ctx: Context, sought: Sought, shares: readonly string[], wanted: number): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select found.id from unnest(${shares}::bigint[]) share (lower_id) cross join lateral (
      select s.id from (
        select distinct d.status_id from status_search d
        where d.document @@ (${`'${fact.share('')}`} || share.lower_id || '''')::tsquery
          and ${isLike(exactly(sought), sought.range)}
        order by d.status_id desc offset 0
      ) hit join statuses s on s.id = hit.status_id join accounts a on a.id = s.account_id
      where ${mayBeFound(sought)} order by hit.status_id desc limit ${wanted}
    ) found limit ${wanted}`)
  return rows.map(({ id }) => id)
}

/** Everything at once, where it is few. `n`: how many there were to look at. */
async function sortAll(ctx: Context, sought: Sought, wanted: number): Promise<{ n: number; ids: string[] }> {
  return ctx.db.one(sql`
    with hits as materialized (
      select d.status_id, d.document from status_search d where ${isLike(loosely(sought), sought.range)} limit ${FEW + 1}
    )
    select (select count(*)::int from hits) as n, array(
      select s.id from (
        select distinct status_id from hits where document @@ ${bracket(exactly(sought), ' & ')}::tsquery
        order by status_id desc offset 0
      ) hit join statuses s on s.id = hit.status_id join accounts a on a.id = s.account_id
      where ${mayBeFound(sought)} order by hit.status_id desc limit ${wanted}
    ) as ids`)
}

/** Ids from one (included) up to another (left out). */
type Range = { from: string; to: string }

/** Above every id. */
const LAST_ID = '9223372036854775807'

/** What is in both ranges. */
function narrow(a: Range, b: Range): Range {
  return {
    from: BigInt(a.from) > BigInt(b.from) ? a.from : b.from,
    to: BigInt(a.to) < BigInt(b.to) ? a.to : b.to,
  }
}

/** Days (YYYY-MM-DD) where the person lives, as the ids of posts between which they lie. */
async function daysOf(
  ctx: Context,
  userId: string,
  days: readonly string[],
): Promise<Map<string, { start: string; end: string }>> {
  if (days.length === 0) return new Map()
  const user = await ctx.db.maybe<{ time_zone: string | null }>(sql`select time_zone from users where id = ${userId}`)
  return new Map(
    days.map((day) => {
      const date = Temporal.PlainDate.from(day)
      return [
        day,
        { start: idOf(date, user?.time_zone ?? null), end: idOf(date.add({ days: 1 }), user?.time_zone ?? null) },
      ]
    }),
  )
}

function idOf(date: Temporal.PlainDate, timeZone: string | null): string {
  const id = idAt(new Date(midnight(date, timeZone).epochMilliseconds))
  return BigInt(id) > BigInt(LAST_ID) ? LAST_ID : id
}

function midnight(date: Temporal.PlainDate, timeZone: string | null): Temporal.ZonedDateTime {
  try {
    return date.toZonedDateTime(timeZone ?? 'UTC')
  } catch {
    // A zone that this system does not know.
    return date.toZonedDateTime('UTC')
  }
}
