import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { MAX_FILTERS, MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS, MAX_STATUSES } from './rules.ts'

/**
 * Changes somebody's filters in one transaction: one change after the other, a new version of them all, and their clients
 * hear of it. Throws what `work` throws, and Invalid when there would be too many.
 */
export async function changeFilters<T>(ctx: Context, accountId: string, work: (tx: Context) => Promise<T>): Promise<T> {
  return ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      insert into filter_versions as v (account_id) values (${accountId}) on conflict (account_id) do update set version = v.version + 1`)
    const before = await measure(tx, accountId)
    const result = await work(tx)
    refuseTooMuch(before, await measure(tx, accountId))
    tx.publish({ type: 'filters.changed', accountId })
    return result
  })
}

type Extent = { filters: number; keywords: number; characters: number; statuses: number }

/** What the filters of an account amount to. */
const measure = (tx: Context, accountId: string): Promise<Extent> =>
  tx.db.one<Extent>(sql`
    select count(*)::int as filters, coalesce(sum(k.keywords), 0)::int as keywords, coalesce(sum(k.characters), 0)::int as characters,
      coalesce(sum((select count(*) from filter_statuses s where s.filter_id = f.id)), 0)::int as statuses
    from filters f,
      lateral (select count(*) as keywords, sum(char_length(keyword)) as characters from filter_keywords where filter_id = f.id) k
    where f.account_id = ${accountId}`)

/** An account that is above a limit may still remove things, one by one. Throws Invalid. */
function refuseTooMuch(before: Extent, after: Extent): void {
  const check = (
    what: keyof Extent,
    key: 'filter' | 'filter_keyword' | 'filter_character' | 'filter_status',
    count: number,
  ): void => {
    if (after[what] > count && after[what] > before[what]) throw invalidRequest(`${key}_limit`, { count })
  }
  check('filters', 'filter', MAX_FILTERS)
  check('keywords', 'filter_keyword', MAX_KEYWORDS)
  check('characters', 'filter_character', MAX_KEYWORD_CHARACTERS)
  check('statuses', 'filter_status', MAX_STATUSES)
}
