import type { Context } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { mergeRequests } from '../../domain/notifications/requests.ts'
import { addToConversations } from '../../domain/conversations/add.ts'

/** Job `notifications.merge`: what was held back of senders who were let through is shown, their direct posts as conversations. */
export const mergeAccepted = (ctx: Context, { accountId }: JobData['notifications.merge']): Promise<void> =>
  ctx.transaction(async (tx) => {
    const mentions = await mergeRequests(tx, accountId)
    if (mentions.length > 0) await addToConversations(tx, mentions, [accountId])
  })
