import { parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { type Sql, allOf, plannedByValue, sql } from '../../db/sql.ts'
import { isShown, lookupHandle } from './find.ts'
import { isLocalDomain } from '../server/addresses.ts'

export type AccountSearch = {
  q: string
  limit: number
  offset?: number
  followedBy?: string | null
  /** Accounts that this one follows come first. */
  viewerId?: string | null
}

const MAX_WORDS = 8

const RANKED = 1000

/** The searched text, exactly as in the index `accounts_name_trgm`. */
const haystack = sql`lower(a.username || ' ' || a.display_name || ' ' || coalesce(a.domain, ''))`

/**
 * The ids of stored accounts that match all words, in this order: the exact handle, followed accounts, names that begin with the
 * query, number of followers. Words of one or two letters match only at the beginning of a word. Leaves out accounts that are
 * suspended, have moved, or may not be shown.
 */
export async function searchAccounts(ctx: Context, search: AccountSearch): Promise<string[]> {
  const { limit, offset = 0, viewerId = null, followedBy = null } = search
  const q = search.q.trim().replace(/^@/, '').toLowerCase()
  const words = wordsOf(ctx, q)
  if (words.length === 0) return []
  const exact = (await lookupHandle(ctx, q))?.id ?? '0'
  const first = `${escapeLike(words[0] as string)}%`
  const matches = allOf(words.map(contains))
  const followed = sql`select a.id from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${followedBy ?? viewerId}::bigint and ${matches}`
  // A common word may match most accounts: only RANKED of each kind are ranked, with followed ones among them.
  const anybody = sql`(${followed} limit ${RANKED})
    union (select a.id from accounts a where ${haystack} like ${first} and ${matches} limit ${RANKED})
    union (select a.id from accounts a where ${matches} limit ${RANKED})
    union select ${exact}::bigint`
  const rows = await ctx.db.many<{ id: string }>(
    plannedByValue(sql`
    select a.id from (${followedBy === null ? anybody : followed}) candidates join accounts a on a.id = candidates.id
    left join account_stats ast on ast.account_id = a.id
    where a.suspended_at is null and a.moved_to_id is null and ${isShown}
    order by a.id = ${exact} desc,
      exists (select from follows f where f.account_id = ${viewerId}::bigint and f.target_account_id = a.id) desc,
      lower(a.username) = ${words[0]} desc, lower(a.username) like ${first} desc,
      coalesce(ast.followers_count, 0) desc, a.id
    limit ${limit} offset ${offset}`),
  )
  return rows.map(({ id }) => id)
}

function wordsOf(ctx: Context, q: string): string[] {
  const handle = parseHandle(q)
  // Local accounts are stored without a domain.
  if (handle?.domain && isLocalDomain(ctx, handle.domain)) return [handle.username]
  return q
    .split(/[\s@]+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
}

function contains(word: string): Sql {
  const pattern = escapeLike(word)
  // The trigram index finds one or two letters only at the beginning of a word.
  return word.length < 3
    ? sql`(${haystack} like ${`${pattern}%`} or ${haystack} like ${`% ${pattern}%`})`
    : sql`${haystack} like ${`%${pattern}%`}`
}

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
