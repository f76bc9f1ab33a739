import { type Context, perServer } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import type { Accounts, AccountStats } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { isShown } from './find.ts'

/** The facts that decide which viewers see an account, and how its statuses are shown. */
export type AccountFacts = Pick<Accounts, 'id' | 'domain' | 'moved_to_id' | 'attribution_domains' | 'indexable'> & {
  suspended: boolean
  /** Whether other people may know of the account: its user, if any, has confirmed the e-mail address and was approved. */
  shown: boolean
  silenced: boolean
  /** Staff marked all its statuses as sensitive. */
  sensitized: boolean
  /** Whether others see which application it posts with. */
  show_application: boolean
}

const facts = perServer((ctx) => new CoherentCache<AccountFacts>(ctx.changes, ['account'], { max: 20_000 }))

/** Unknown ids have no entry. One statement, or none when all are cached. */
export function loadAccountFacts(ctx: Context, ids: Iterable<string>): Promise<Map<string, AccountFacts>> {
  return facts(ctx).load(ctx, ids, async (missing) => {
    const rows = await ctx.db.many<AccountFacts>(sql`
      select a.id, a.domain, a.moved_to_id, a.attribution_domains, a.indexable, a.suspended_at is not null as suspended,
        a.silenced_at is not null as silenced, a.sensitized_at is not null as sensitized,
        coalesce((u.settings ->> 'show_application')::boolean, true) as show_application, ${isShown} as shown
      from accounts a left join users u on u.account_id = a.id where a.id = any(${missing}::bigint[])`)
    return rows.map((row) => [row.id, row])
  })
}

/** Throws NotFound unless other people may know of the account. As getShownAccount, in memory. */
export async function checkShown(ctx: Context, id: string): Promise<void> {
  const found = await loadAccountFacts(ctx, [id])
  if (!found.get(id)?.shown) throw new NotFound()
}

export type AccountCounts = Pick<
  AccountStats,
  'statuses_count' | 'followers_count' | 'following_count' | 'last_status_at'
>

const NONE: AccountCounts = { statuses_count: 0, followers_count: 0, following_count: 0, last_status_at: null }

const counts = perServer((ctx) => new CoherentCache<AccountCounts>(ctx.changes, ['account-count'], { max: 20_000 }))

/** Has every id. One statement, or none when all are cached. */
export function loadAccountCounts(ctx: Context, ids: Iterable<string>): Promise<Map<string, AccountCounts>> {
  return counts(ctx).load(ctx, ids, async (missing) => {
    const rows = await ctx.db.many<AccountCounts & { account_id: string }>(sql`
      select account_id, statuses_count, followers_count, following_count, last_status_at
      from account_stats where account_id = any(${missing}::bigint[])`)
    const found = new Map<string, AccountCounts>(rows.map(({ account_id, ...row }) => [account_id, row]))
    return missing.map((id) => [id, found.get(id) ?? { ...NONE }])
  })
}
