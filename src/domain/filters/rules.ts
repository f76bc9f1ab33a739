import type { Context } from '../../context.ts'
import type { Filters } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidField, invalidRequest, requiredText } from '../../lib/errors.ts'

export const FILTER_CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
export type FilterContext = (typeof FILTER_CONTEXTS)[number]

/** warn: the status is collapsed behind the title. hide: it is not shown. blur: only its media are covered. */
export const FILTER_ACTIONS = ['warn', 'hide', 'blur'] as const satisfies readonly Filters['action'][]
export type FilterAction = (typeof FILTER_ACTIONS)[number]

export const MAX_TITLE = 256
const MAX_KEYWORD = 512
/** The limits hold for all filters of one account together, because all of them are matched at once. */
const MAX_FILTERS = 200
export const MAX_KEYWORDS = 1000
/** The matcher is built from these characters and stays in memory. */
const MAX_KEYWORD_CHARACTERS = 20_000
export const MAX_STATUSES = 1000

/** Returns the trimmed title. Throws Invalid when it is blank or too long. */
export const checkTitle = (title = ''): string => requiredText('title', title, MAX_TITLE)

/** Removes duplicates. Throws Invalid when there is no context. */
export function checkContext(context: readonly FilterContext[] | undefined): FilterContext[] {
  if (!context || context.length === 0) throw invalidField('context', 'blank')
  return FILTER_CONTEXTS.filter((known) => context.includes(known))
}

/** Returns the trimmed keyword. Throws Invalid, which names `field`, when it is blank or too long. */
export const checkKeyword = (keyword = '', field: 'keyword' | 'keywords_keyword' | 'phrase' = 'keyword'): string =>
  requiredText(field, keyword, MAX_KEYWORD)

/** The time so many seconds from now; null: never. Throws Invalid for a negative number. */
export function expiryOf(seconds: number | null | undefined): Date | null {
  if (seconds === null || seconds === undefined) return null
  if (seconds < 0) throw invalidField('expires_in', 'at_least', { count: 0 })
  return new Date(Date.now() + seconds * 1000)
}

/**
 * Runs a change of an account's filters: one change at a time, with a new version for the caches of compiled filters. Throws
 * Invalid when the change exceeds a limit.
 */
export async function changeWithinLimits<T>(
  tx: Context,
  accountId: string,
  change: (tx: Context) => Promise<T>,
): Promise<T> {
  await tx.db.run(sql`
    insert into filter_versions as v (account_id) values (${accountId}) on conflict (account_id) do update set version = v.version + 1`)
  const before = await measure(tx, accountId)
  const result = await change(tx)
  checkLimits(before, await measure(tx, accountId))
  return result
}

type Extent = { filters: number; keywords: number; characters: number; statuses: number }

const measure = (tx: Context, accountId: string): Promise<Extent> =>
  tx.db.one<Extent>(sql`
    select count(*)::int as filters, coalesce(sum(k.keywords), 0)::int as keywords, coalesce(sum(k.characters), 0)::int as characters,
      coalesce(sum((select count(*) from filter_statuses s where s.filter_id = f.id)), 0)::int as statuses
    from filters f,
      lateral (select count(*) as keywords, sum(char_length(keyword)) as characters from filter_keywords where filter_id = f.id) k
    where f.account_id = ${accountId}`)

/** An account that is above a limit may still remove things one by one. */
function checkLimits(before: Extent, after: Extent): void {
  const check = (
    size: keyof Extent,
    key: 'filter' | 'filter_keyword' | 'filter_character' | 'filter_status',
    count: number,
  ): void => {
    if (after[size] > count && after[size] > before[size]) throw invalidRequest(`${key}_limit`, { count })
  }
  check('filters', 'filter', MAX_FILTERS)
  check('keywords', 'filter_keyword', MAX_KEYWORDS)
  check('characters', 'filter_character', MAX_KEYWORD_CHARACTERS)
  check('statuses', 'filter_status', MAX_STATUSES)
}
