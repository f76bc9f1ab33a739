import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { removeFromLists } from '../lists/members.ts'
import { uncountFollows } from './counts.ts'
import { unendorse } from './endorse.ts'
import { forgetNotifications } from './notifications.ts'

/** A follow or a request that was ended. */
export type Severed = { id: string; uri: string | null }

/**
 * Ends the follow of `accountId` after `targetAccountId`, or the request for it: row, counters, notifications, lists, endorsement.
 * Null when there was none. Call it under the lock of the pair.
 */
export async function endFollow(
  tx: Context,
  accountId: string,
  targetAccountId: string,
): Promise<(Severed & { wasFollowing: boolean }) | null> {
  // Requests first, and in a statement of its own: what is being accepted at this moment is then seen as a follow.
  const request = await tx.db.maybe<Severed>(sql`
    delete from follow_requests where account_id = ${accountId} and target_account_id = ${targetAccountId} returning id, uri`)
  const follow = await tx.db.maybe<Severed>(sql`
    delete from follows where account_id = ${accountId} and target_account_id = ${targetAccountId} returning id, uri`)
  if (follow) {
    await uncountFollows(tx, [{ account_id: accountId, target_account_id: targetAccountId }])
    await unendorse(tx, accountId, [targetAccountId])
  }
  if (follow || request) await removeFromLists(tx, accountId, [targetAccountId])
  if (follow || request) await forgetNotifications(tx, targetAccountId, [accountId], ['follow', 'follow_request'])
  const ended = follow ?? request
  return ended && { ...ended, wasFollowing: follow !== null }
}
