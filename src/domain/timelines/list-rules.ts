import { sql, type Sql } from '../../db/sql.ts'
import { belongsInFeed, candidateColumns } from './home-rules.ts'

/** Of those who are in a list `l`, whom its owner follows by now, or is: others are only asked yet. `la` is the membership. */
export const isFollowedByOwner: Sql = sql`(la.account_id = l.account_id
  or exists (select from follows mf where mf.account_id = l.account_id and mf.target_account_id = la.account_id))`

/**
 * Whether a post `s` of `a`, which may boost `o` of `oa`, is shown in a list `l` whose members its author is one of. `f` is the
 * follow of the author by the owner, left joined: there is none of oneself.
 */
export const belongsInList: Sql = sql`(oa.suspended_at is null and (s.account_id = l.account_id or (${belongsInFeed(candidateColumns)}
  and (not s.reply or s.in_reply_to_account_id = s.account_id or s.in_reply_to_account_id = l.account_id
    or case l.replies_policy
      when 'followed' then true
      when 'list' then exists (select from list_accounts rm where rm.list_id = l.id and rm.account_id = s.in_reply_to_account_id)
      else false
    end))))`
