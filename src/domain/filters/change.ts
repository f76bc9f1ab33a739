import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { MAX_FILTERS, MAX_KEYWORDS, MAX_STATUSES } from './rules.ts'

/**
 * Changes somebody's filters in one transaction: one change after the other, a new version of them all, and their clients
 * hear of it. Throws what `work` throws, and Invalid when there would be too many.
 */
export async function changeFilters<T>(ctx: Context, accountId: string, work: (tx: Context) => Promise<T>): Promise<T> {
  return ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      insert into filter_versions as v (account_id) values (${accountId}) on conflict (account_id) do update set version = v.version + 1`)
    const result = await work(tx)
    await refuseTooMany(tx, accountId)
    tx.publish({ type: 'filters.changed', accountId })
    return result
  })
}

async function refuseTooMany(tx: Context, accountId: string): Promise<void> {
  const counts = await tx.db.one<{ filters: number; keywords: number; statuses: number }>(sql`
    select count(*)::int as filters,
      coalesce(sum((select count(*) from filter_keywords k where k.filter_id = f.id)), 0)::int as keywords,
      coalesce(sum((select count(*) from filter_statuses s where s.filter_id = f.id)), 0)::int as statuses
    from filters f where f.account_id = ${accountId}`)
  const refuse = (what: string, most: number): never => {
    throw new Invalid(`Validation failed: Filters have too many ${what} (maximum is ${most})`)
  }
  if (counts.filters > MAX_FILTERS)
    throw new Invalid(`Validation failed: There are too many filters (maximum is ${MAX_FILTERS})`)
  if (counts.keywords > MAX_KEYWORDS) refuse('keywords', MAX_KEYWORDS)
  if (counts.statuses > MAX_STATUSES) refuse('posts', MAX_STATUSES)
}
