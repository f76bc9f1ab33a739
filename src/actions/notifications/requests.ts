import type { Context } from '../../context.ts'
import { addToConversations } from '../../domain/conversations/conversations.ts'
import { markRequestsAccepted, mergeRequests } from '../../domain/notifications/requests.ts'
import type { JobData } from '../../jobs/kinds.ts'

/**
 * Accepts notification requests; a job merges the notifications that they held back. Returns their number; ignores requests to
 * other accounts.
 */
export const acceptRequests = (ctx: Context, accountId: string, ids: readonly string[]): Promise<number> =>
  ctx.transaction(async (tx) => {
    const accepted = await markRequestsAccepted(tx, accountId, ids)
    if (accepted > 0) await tx.enqueue('notifications.merge', { accountId })
    return accepted
  })

/** Job `notifications.merge`: shows the notifications of accepted senders, and their direct statuses as conversations. */
export const mergeAccepted = (ctx: Context, { accountId }: JobData['notifications.merge']): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { merged, mentions } = await mergeRequests(tx, accountId)
    if (merged > 0) tx.publish({ type: 'notifications.merged', accountId })
    if (mentions.length > 0) await addToConversations(tx, mentions, [accountId])
  })
