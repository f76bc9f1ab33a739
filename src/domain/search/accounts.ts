import { parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { containsWord, findsWord, isIndexed } from '../../db/name-words.ts'
import { allOf, escapeLike, nothing, plannedByValue, type Sql, sql } from '../../db/sql.ts'
import { hasHandle, isShown } from '../accounts/find.ts'
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

/** Candidates of each kind that are ranked. */
const RANKED = 300
/** Candidates of each kind but the followed ones that are ranked, if more match than RANKED. */
const OF_MANY = 100
/** Few, as each search reads all these names. They may be an hour old, so `rank` compares the current names. */
const WELL_KNOWN = 1000

/** The searched text, exactly as in the index `accounts_name_trgm`. */
export const haystack = sql`lower(a.username || ' ' || a.display_name || ' ' || coalesce(a.domain, ''))`

/**
 * The ids of stored accounts that match all words, in this order: the exact handle, followed accounts, names that begin with the
 * query, number of followers. Words of one or two letters match only at the beginning of a word. Words of signs alone
 * are ignored beside others; without others, the first one must begin the username. Leaves out accounts that are suspended or may
 * not be shown, and those that have moved unless the query is their handle.
 */
export async function searchAccounts(ctx: Context, search: AccountSearch): Promise<string[]> {
  const q = search.q.trim().replace(/^@/, '').toLowerCase()
  const words = wordsOf(ctx, q)
  if (words.length === 0) return []
  return rank(ctx, search, {
    words,
    isHandle: isHandleOf(ctx, q),
    candidates: await findCandidates(ctx, search, words),
  })
}

/** The plan depends on how common the words are, so these statements are small: planning takes longer than running. */
async function findCandidates(
  ctx: Context,
  { viewerId = null, followedBy = null }: AccountSearch,
  words: readonly string[],
): Promise<string[]> {
  const read = async (statement: Sql): Promise<string[]> =>
    (await ctx.db.many<{ id: string }>(plannedByValue(statement))).map(({ id }) => id)
  const matches = allOf(words.map((word) => containsWord(word, haystack)))
  const followed = sql`select a.id from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${followedBy ?? viewerId}::bigint and ${matches}`
  if (followedBy !== null) return read(followed)
  const some = (condition: Sql): Promise<string[]> =>
    read(sql`select a.id from accounts a where ${condition} limit ${RANKED}`)
  const find = (word: string): Sql => findsWord(word, haystack)
  // The index of handles finds some names that begin with a common word; the one of trigrams would collect all matches first.
  const [first = '', ...others] = words
  const foremost = await some(allOf([sql`lower(a.username) like ${`${escapeLike(first)}%`}`, ...others.map(find)]))
  // Without an index, the next statement would read all accounts.
  if (foremost.length < RANKED && !isIndexed(first)) return foremost
  const found = foremost.length < RANKED ? await some(allOf(words.map(find))) : []
  if (foremost.length < RANKED && found.length < RANKED) return found
  // There are more matches: those that are followed, or have the most followers, come before all others.
  const names = allOf(words.map((word) => containsWord(word, sql`w.name`)))
  const best = await Promise.all([
    read(sql`${followed} limit ${RANKED}`),
    read(sql`
      select account_id as id from well_known_accounts w where ${names}
      order by name like ${`${escapeLike(first)}%`} desc, followers_count desc limit ${OF_MANY}`),
  ])
  return [...best.flat(), ...foremost.slice(0, OF_MANY), ...found.slice(0, OF_MANY)]
}

/** Clean-up: stores the names of the accounts with the most followers as they are now. */
export const storeWellKnown = (ctx: Context): Promise<number> =>
  ctx.db.run(sql`
    with best as (
      select a.id, ${haystack} as name, ast.followers_count from account_stats ast join accounts a on a.id = ast.account_id
      where ast.followers_count > 0 and a.suspended_at is null and a.moved_to_id is null and ${isShown}
      order by ast.followers_count desc limit ${WELL_KNOWN}
    ), others as (delete from well_known_accounts where account_id not in (select id from best))
    insert into well_known_accounts (account_id, name, followers_count) select id, name, followers_count from best order by id
    on conflict (account_id) do update set name = excluded.name, followers_count = excluded.followers_count
    where (well_known_accounts.name, well_known_accounts.followers_count) is distinct from (excluded.name, excluded.followers_count)`)

/** `isHandle`: a condition on the account `a`, whose handle is the whole query. */
type Matches = { words: readonly string[]; isHandle: Sql; candidates: readonly string[] }

async function rank(
  ctx: Context,
  { limit, offset = 0, viewerId = null, followedBy = null }: AccountSearch,
  { words, isHandle, candidates }: Matches,
): Promise<string[]> {
  const ids = followedBy === null ? sql`|| array(select a.id from accounts a where ${isHandle})` : nothing
  // `offset 0` keeps PostgreSQL from collecting all matches in the index of names.
  const rows = await ctx.db.many<{ id: string }>(sql`
    select a.id from (select id, username, display_name, domain, suspended_at, moved_to_id from accounts where id = any(${candidates}::bigint[] ${ids}) offset 0) a
    left join account_stats ast on ast.account_id = a.id
    where (${isHandle} or (${allOf(words.map((word) => containsWord(word, haystack)))} and a.moved_to_id is null)) and a.suspended_at is null and ${isShown}
    order by ${isHandle} desc,
      exists (select from follows f where f.account_id = ${viewerId}::bigint and f.target_account_id = a.id) desc,
      lower(a.username) = ${words[0]} desc, lower(a.username) like ${`${escapeLike(words[0] as string)}%`} desc,
      coalesce(ast.followers_count, 0) desc, a.id
    limit ${limit}::int offset ${offset}::int`)
  return rows.map(({ id }) => id)
}

/** Whether the query is the handle of the account `a`. No account has an empty username. */
const isHandleOf = (ctx: Context, q: string): Sql => hasHandle(ctx, parseHandle(q) ?? { username: '', domain: null })

function wordsOf(ctx: Context, q: string): string[] {
  const handle = parseHandle(q)
  // Local accounts are stored without a domain.
  if (handle?.domain && isLocalDomain(ctx, handle.domain)) return [handle.username]
  const words = q
    .split(/[\s@?\\:]+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
  const indexed = words.filter(isIndexed)
  return indexed.length > 0 ? indexed : words
}
