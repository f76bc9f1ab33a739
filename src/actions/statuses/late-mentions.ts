// Mentions of accounts whose servers could not be reached when the status was written.
import type { Context } from '../../context.ts'
import { findOwnStatus } from '../../domain/statuses/find.ts'
import { addMentions } from '../../domain/statuses/mentions.ts'
import { findQuotedUrl } from '../../domain/statuses/quotes/quotes.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { addToConversations, removeFromConversations } from '../conversations/change.ts'
import { federate } from '../federate.ts'
import { renderText } from './compose.ts'
import { requestMentions } from './enrich.ts'

/** Job `statuses.mentions`: delivers the status to the accounts that can be resolved now. It does not count as edited. */
export async function resolveLateMentions(
  ctx: Context,
  { statusId, accountId, attempt }: JobData['statuses.mentions'],
): Promise<void> {
  const status = await findOwnStatus(ctx, accountId, statusId)
  if (!status?.text) return
  const quotedUrl = status.quote_id === null ? null : await findQuotedUrl(ctx, statusId)
  const body = await renderText(ctx, accountId, status.text, quotedUrl)
  await ctx.transaction(async (tx) => {
    const added = await addMentions(tx, statusId, status.text, body)
    if (added === null) return
    if (body.hasUnresolved) await requestMentions(tx, { statusId, accountId, attempt: attempt + 1 })
    if (added.length === 0) return
    await indexStatuses(tx, [statusId])
    if (status.visibility === 'direct') {
      // The accounts that take part have changed.
      await removeFromConversations(tx, { statusIds: [statusId], accountIds: [accountId] })
      await addToConversations(tx, [statusId], [accountId])
    }
    if (status.approval === null) await federate(tx, { activity: 'create', statusId, to: added })
    tx.publish({ type: 'status.edited', id: statusId, unmentioned: [] })
  })
}
