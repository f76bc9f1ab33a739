import type { Context } from '../context.ts'
import type { Follows } from '../db/schema.ts'
import type { FollowAccounts } from '../domain/relationships/follows.ts'
import type { FederatedAct } from '../jobs/distribution.ts'

/**
 * Enqueues acts for other servers, in the transaction of `ctx`. The job renders the activity from the current rows, finds its
 * recipients and delivers it: see federation/outgoing/distribute.ts. It skips an act that was undone before it runs.
 */
export async function federate(ctx: Context, acts: FederatedAct | readonly FederatedAct[]): Promise<void> {
  if ('activity' in acts) await ctx.enqueue('federation.distribute', acts)
  else await ctx.enqueueMany('federation.distribute', [...acts])
}

type Follow = FollowAccounts & Pick<Follows, 'id'>

/** `follow`: a row of a follow or a follow request. */
export const followAct = ({ id, account_id, target_account_id }: Follow) => ({
  activity: 'follow' as const,
  accountId: account_id,
  targetAccountId: target_account_id,
  followId: id,
})

export const unfollowAct = (follow: Follow) => ({ ...followAct(follow), undo: true as const })

type Answered = FollowAccounts & Pick<Follows, 'uri'>

/** An act of the followed account. */
export const acceptFollowAct = ({ account_id, target_account_id, uri }: Answered) => ({
  activity: 'answer-follow' as const,
  accepted: true,
  accountId: target_account_id,
  targetAccountId: account_id,
  followUri: uri,
})

/** An act of the followed account, against a request or a follow. */
export const rejectFollowAct = (follow: Answered) => ({ ...acceptFollowAct(follow), accepted: false })
