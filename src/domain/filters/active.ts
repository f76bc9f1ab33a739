import { setImmediate } from 'node:timers/promises'
import { perServer, type Context } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { createMatcher, type Matcher } from '../../lib/text/matcher.ts'
import { listFilters, type FilterRow } from './filters.ts'
import { keywordPattern, matchedText } from './text.ts'

type CompiledFilter = FilterRow & {
  /** The keywords, each with the index of its phrase in the matcher. */
  phrases: { keyword: string; phrase: number }[]
  statusIds: ReadonlySet<string>
}

export type CompiledFilters = {
  /** Finds the keywords of all filters in one pass over a text. */
  matcher: Matcher
  statusIds: ReadonlySet<string>
  filters: readonly CompiledFilter[]
}

/** Approximate limit for the compiled filters of all accounts together, in bytes. */
const MAX_COMPILED = 16 * 1024 * 1024

/** Why a status is filtered: matching keywords as the user wrote them, and matching ids of the status or of its original. */
export type FilterMatch = { filter: FilterRow; keywords: string[]; statusIds: string[] }

/** By account; also for accounts without filters, which have an empty list. */
const compiled = perServer(
  ({ changes }) =>
    new CoherentCache<CompiledFilters>(changes, ['filter'], { maxSize: MAX_COMPILED, sizeCalculation: sizeOf }),
)

const NONE: Omit<CompiledFilters, 'filters'> = { matcher: createMatcher([]), statusIds: new Set() }

/** Has every account. One statement, or none when all are cached. */
export function loadFilters(ctx: Context, accountIds: readonly string[]): Promise<Map<string, CompiledFilters>> {
  return compiled(ctx).load(ctx, accountIds, async (missing) => {
    const rows = Map.groupBy(await listFilters(ctx, missing), (row) => row.account_id)
    const found: [string, CompiledFilters][] = []
    for (const accountId of missing) {
      const own = rows.get(accountId)
      const filters = own ? compile(own) : { ...NONE, filters: [] }
      // A thousand long keywords take some milliseconds: let other requests run before the next account.
      if (filters.matcher.size > 100_000) await setImmediate()
      found.push([accountId, filters])
    }
    return found
  })
}

/**
 * Which filters match a status now. `ids`: the status and its original; `text`: see matchedText. All contexts are returned:
 * clients compare them with the place where they show the status.
 */
export function matchFilters(
  { matcher, statusIds, filters }: CompiledFilters,
  ids: readonly string[],
  text: string,
): FilterMatch[] {
  const found = matcher.find(text)
  if (found.size === 0 && !ids.some((id) => statusIds.has(id))) return []
  const now = Date.now()
  return filters.flatMap((filter) => {
    if (filter.expires_at !== null && filter.expires_at.getTime() <= now) return []
    const keywords = filter.phrases.filter(({ phrase }) => found.has(phrase)).map(({ keyword }) => keyword)
    const matched = ids.filter((id) => filter.statusIds.has(id))
    return keywords.length > 0 || matched.length > 0 ? [{ filter, keywords, statusIds: matched }] : []
  })
}

/**
 * Whether the server itself leaves a status out of `home` or `notifications`. It does so for irreversible filters, which the
 * first version of the API creates and whose clients do not know `filtered`. Clients apply all other filters.
 */
export const isLeftOut = (matches: readonly FilterMatch[], context: 'home' | 'notifications'): boolean =>
  matches.some(({ filter }) => filter.irreversible && filter.context.includes(context))

/**
 * Whether the account has filters that can hide statuses from its notifications: only those accounts need
 * `accountsWhoseFiltersHide`.
 */
export const hasNotificationFilters = (accountId: Sql): Sql =>
  sql`exists (select from filters sf where sf.account_id = ${accountId} and sf.irreversible and 'notifications' = any(sf.context))`

/** Only irreversible filters hide a status from notifications. */
export async function accountsWhoseFiltersHide(
  tx: Context,
  statusId: string,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const post = await tx.db.maybe<{
    account_id: string
    content: string
    spoiler_text: string
    poll_options: string[] | null
    descriptions: (string | null)[]
  }>(sql`
    select s.account_id, s.content, s.spoiler_text, (select p.options from polls p where p.id = s.poll_id) as poll_options,
      array(select m.description from media_attachments m where m.id = any(s.media_ids)) as descriptions
    from statuses s where s.id = ${statusId}`)
  if (!post) return new Set()
  const text = matchedText(post)
  const filters = await loadFilters(tx, accountIds)
  const hiding = [...filters].filter(
    ([accountId, own]) =>
      accountId !== post.account_id && isLeftOut(matchFilters(own, [statusId], text), 'notifications'),
  )
  return new Set(hiding.map(([accountId]) => accountId))
}

function compile(rows: readonly FilterRow[]): CompiledFilters {
  const phrases = new Map<string, number>()
  const indexOf = (phrase: string): number => {
    if (!phrases.has(phrase)) phrases.set(phrase, phrases.size)
    return phrases.get(phrase) as number
  }
  const filters = rows.map((row) => ({
    ...row,
    phrases: row.keywords.map(({ keyword, whole_word }) => ({
      keyword,
      phrase: indexOf(keywordPattern(keyword, whole_word)),
    })),
    statusIds: new Set(row.statuses.map(({ status_id }) => status_id)),
  }))
  return {
    matcher: createMatcher([...phrases.keys()]),
    statusIds: new Set(filters.flatMap(({ statuses }) => statuses.map(({ status_id }) => status_id))),
    filters,
  }
}

const sizeOf = ({ matcher, filters }: CompiledFilters): number =>
  filters.reduce(
    (size, { keywords, statusIds }) =>
      keywords.reduce((sum, { keyword }) => sum + 200 + 2 * keyword.length, size + 500 + 200 * statusIds.size),
    matcher.size,
  ) + 500
