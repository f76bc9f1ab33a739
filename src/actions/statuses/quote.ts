import type { Context } from '../../context.ts'
import {
  changeQuoteState,
  countQuotes,
  findQuoteOf,
  lockAcceptedQuote,
  type ChangedQuote,
} from '../../domain/statuses/quotes/quotes.ts'
import { deleteNotificationsOfEvent } from '../../domain/notifications/create.ts'
import { lockUnlessDeleted } from '../../domain/peers/tombstones.ts'
import { getVisibleStatus, type MaybeViewer } from '../../domain/statuses/visibility.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'

/** Notifies the quoted author of an accepted quote. Asks the author's server to approve one by a local status (`local`). */
export async function spreadQuote(tx: Context, statusId: string, { local }: { local: boolean }): Promise<void> {
  const quote = await findQuoteOf(tx, statusId)
  if (!quote || quote.quoted_account_id === null) return
  if (quote.state === 'accepted')
    await notify(tx, { type: 'quote', fromAccountId: quote.account_id, statusId, to: [quote.quoted_account_id] })
  else if (local)
    await federate(tx, { activity: 'request', interaction: 'quote', accountId: quote.account_id, id: quote.id })
}

/**
 * The quote is counted, and a local quoted author is notified. `approvalUri`: the authorization of a remote author. When it was
 * withdrawn before it arrived, the quote is revoked. May run twice.
 */
export const acceptQuote = (ctx: Context, id: string, approvalUri: string | null): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (approvalUri !== null && !(await lockUnlessDeleted(tx, approvalUri))) return rejectQuote(tx, id, 'revoked')
    const quote = await changeQuoteState(tx, id, 'accepted', approvalUri)
    if (!quote) return
    const { status_id: statusId, account_id: fromAccountId, quoted_status_id, quoted_account_id } = quote
    if (quoted_status_id !== null) await countQuotes(tx, quoted_status_id, 1)
    if (quote.quoted_local && quoted_account_id !== null)
      await notify(tx, { type: 'quote', fromAccountId, statusId, to: [quoted_account_id] })
    await spreadQuoteState(tx, quote)
  })

/** For the author of the quoted status. Does nothing when the quote has this state already. May run twice. */
export const rejectQuote = (ctx: Context, id: string, state: 'rejected' | 'revoked'): Promise<void> =>
  ctx.transaction(async (tx) => {
    const quote = await changeQuoteState(tx, id, state, null)
    if (!quote) return
    if (quote.before === 'accepted' && quote.quoted_status_id !== null)
      await countQuotes(tx, quote.quoted_status_id, -1)
    await deleteNotificationsOfEvent(tx, { type: 'quote', fromAccountId: quote.account_id, statusId: quote.status_id })
    await spreadQuoteState(tx, quote)
  })

async function spreadQuoteState(tx: Context, { status_id: statusId, local }: ChangedQuote): Promise<void> {
  tx.publish({ type: 'status.edited', id: statusId })
  if (local) await federate(tx, { activity: 'refresh', statusId })
}

/**
 * For a local author of the quoted status. Throws NotFound for hidden statuses and for quotes that are not accepted,
 * Forbidden for statuses of other accounts.
 */
export async function revokeQuote(
  ctx: Context,
  author: NonNullable<MaybeViewer>,
  statusId: string,
  quotingId: string,
): Promise<void> {
  const status = await getVisibleStatus(ctx, author, statusId)
  if (status.account_id !== author.accountId) throw new Forbidden()
  await ctx.transaction(async (tx) => {
    const quote = await lockAcceptedQuote(tx, quotingId, statusId)
    if (!quote) throw new NotFound()
    await rejectQuote(tx, quote.id, 'revoked')
    await federate(tx, {
      activity: 'revoke-quote',
      accountId: author.accountId,
      quoteId: quote.id,
      quotedStatusId: statusId,
      to: [quote.account_id],
    })
  })
}
