// Mentions of accounts whose servers could not be reached when the status was written or received.
import type { Context } from '../../context.ts'
import { findOwnStatus } from '../../domain/statuses/find.ts'
import { addMentions, addRemoteMentions } from '../../domain/statuses/mentions.ts'
import { findQuotedUrl } from '../../domain/statuses/quotes/quotes.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { addToConversations, removeFromConversations } from '../conversations/change.ts'
import { federate } from '../federate.ts'
import { resolveAll } from '../remote/draft-of-note.ts'
import { renderText } from './compose.ts'

/** Seconds before each attempt: a server that restarts, one that is overloaded, one that is down for a while. */
const DELAYS = [60, 600, 7200]

/** Enqueues the job for the attempt `data.attempt`, which counts from 0. Does nothing after the last one. */
export async function resolveMentionsLater(tx: Context, data: JobData['statuses.mentions']): Promise<void> {
  const delay = DELAYS[data.attempt]
  if (delay !== undefined) await tx.enqueue('statuses.mentions', data, { delay })
}

/** Job `statuses.mentions`. The status does not count as edited. */
export const resolveLateMentions = (ctx: Context, data: JobData['statuses.mentions']): Promise<void> =>
  data.uris ? mentionInRemote(ctx, data, data.uris) : mentionInLocal(ctx, data)

/** Delivers the status to the accounts that can be resolved now. */
async function mentionInLocal(
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
    if (body.hasUnresolved) await resolveMentionsLater(tx, { statusId, accountId, attempt: attempt + 1 })
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

/** Without these accounts, a reply from here would not reach them. */
async function mentionInRemote(
  ctx: Context,
  data: JobData['statuses.mentions'],
  uris: readonly string[],
): Promise<void> {
  const { statusId, attempt } = data
  const { resolved, unreached } = await resolveAll(ctx, uris)
  await ctx.transaction(async (tx) => {
    const added = await addRemoteMentions(tx, statusId, [...resolved.values()])
    if (added === null) return
    if (unreached.length > 0) await resolveMentionsLater(tx, { ...data, attempt: attempt + 1, uris: unreached })
    if (added.length === 0) return
    // The accounts that take part have changed.
    await removeFromConversations(tx, { statusIds: [statusId] })
    await addToConversations(tx, [statusId])
    tx.publish({ type: 'status.edited', id: statusId, unmentioned: [] })
  })
}
