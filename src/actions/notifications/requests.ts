// Requests to show notifications that the policy of an account filters.
import type { Context } from '../../context.ts'
import { markRequestsAccepted, mergeRequests } from '../../domain/notifications/requests.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { addToConversations } from '../conversations/change.ts'

/**
 * Shows the notifications of the senders; a job does it. Returns the number of accepted requests; ignores those to other
 * accounts.
 */
export const acceptRequests = (ctx: Context, accountId: string, ids: readonly string[]): Promise<number> =>
  ctx.transaction(async (tx) => {
    const accepted = await markRequestsAccepted(tx, accountId, ids)
    if (accepted > 0) await tx.enqueue('notifications.merge', { accountId })
    return accepted
  })

/** Job `notifications.merge`: shows the notifications of accepted senders, and their direct statuses as conversations. */
export const mergeAcceptedRequests = (ctx: Context, { accountId }: JobData['notifications.merge']): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { merged, mentions } = await mergeRequests(tx, accountId)
    if (merged > 0) tx.publish({ type: 'notifications.merged', accountId })
    if (mentions.length > 0) await addToConversations(tx, mentions, [accountId])
  })
