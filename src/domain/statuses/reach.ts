import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

export type Reach = {
  /** Whether anybody of another server may want to hear of it: somebody mentioned, answered to, boosted or quoted, or a follower. */
  elsewhere: boolean
  /** Whether there are followers who asked for every post, and it is what they mean: no boost, no answer to others, not direct. */
  forSubscribers: boolean
}

/**
 * Whom a post or boost may concern beside the people whose feeds it goes to. What concerns nobody needs no work. The followers are
 * looked through until one is of another server (`offset 0` keeps planners from beginning with everybody of other servers).
 */
export async function readReach(tx: Context, statusId: string): Promise<Reach> {
  return tx.db.one<Reach>(sql`
    select (exists (select from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id and a.domain is not null)
      or exists (select from accounts a where a.id = s.in_reply_to_account_id and a.domain is not null)
      or exists (select from statuses o join accounts a on a.id = o.account_id where o.id = s.reblog_of_id and a.domain is not null)
      or (s.quote_id is not null and exists (select from quotes q join accounts a on a.id = q.quoted_account_id where q.id = s.quote_id and a.domain is not null))
      or (s.visibility <> 'direct' and exists (
        select from (select f.account_id from follows f where f.target_account_id = s.account_id offset 0) f
          join accounts a on a.id = f.account_id where a.domain is not null))) as elsewhere,
      (s.reblog_of_id is null and s.visibility <> 'direct' and (not s.reply or coalesce(s.in_reply_to_account_id = s.account_id, false))
        and exists (select from follows f where f.target_account_id = s.account_id and f.notify)) as "forSubscribers"
    from statuses s where s.id = ${statusId}`)
}
