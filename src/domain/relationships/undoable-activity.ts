import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** An activity that can be undone; its target is an account (follow, block) or a status (favourite, reblog). */
export type UndoableActivity = { kind: 'follow' | 'block' | 'favourite' | 'reblog'; target: string }

/** The activity of a remote account with this URI, or null. */
export async function findUndoableActivity(
  ctx: Context,
  accountId: string,
  uri: string,
): Promise<UndoableActivity | null> {
  return ctx.db.maybe<UndoableActivity>(sql`
    select 'follow' as kind, target_account_id as target from follows where account_id = ${accountId} and uri = ${uri}
    union all select 'follow', target_account_id from follow_requests where account_id = ${accountId} and uri = ${uri}
    union all select 'block', target_account_id from blocks where account_id = ${accountId} and uri = ${uri}
    union all select 'favourite', status_id from favourites where account_id = ${accountId} and uri = ${uri}
    union all select 'reblog', reblog_of_id from statuses where account_id = ${accountId} and uri = ${uri} and reblog_of_id is not null`)
}
