import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isPublicOrUnlisted } from './visibility.ts'

/**
 * Takes back what these posts and boosts, which are about to be deleted, add to the counters of their authors, of what they
 * answer to, of what they boost and of what they quote. The opposite of what inserting them did.
 */
export async function takeBackCounts(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    with written as (
      select account_id, count(*)::int as n from statuses where id = any(${ids}::bigint[]) and visibility <> 'direct' group by account_id
    ), authors as (
      update account_stats t set statuses_count = greatest(t.statuses_count - written.n, 0) from written where t.account_id = written.account_id
    ), owed as (
      select target, sum(replies)::int as replies, sum(reblogs)::int as reblogs, sum(quotes)::int as quotes from (
        select in_reply_to_id as target, 1 as replies, 0 as reblogs, 0 as quotes from statuses where id = any(${ids}::bigint[]) and ${isPublicOrUnlisted(sql`visibility`)} and approval is null
        union all select reblog_of_id, 0, 1, 0 from statuses where id = any(${ids}::bigint[]) and approval is null
        union all select quoted_status_id, 0, 0, 1 from quotes where status_id = any(${ids}::bigint[]) and state = 'accepted'
      ) each where target is not null group by target
    )
    update status_stats t set replies_count = greatest(t.replies_count - owed.replies, 0), reblogs_count = greatest(t.reblogs_count - owed.reblogs, 0),
      quotes_count = greatest(t.quotes_count - owed.quotes, 0)
    from owed where t.status_id = owed.target`)
}
