import { isSameHost } from '../../ap/normalise.ts'
import { parseObject } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { fetchNote, receiveNote } from '../../domain/fanout/remote-status.ts'
import { acceptQuote } from '../../domain/interactions/quotes.ts'
import { approvalOf, findQuoteOf } from '../../domain/statuses/quotes.ts'
import { findStatusByUri } from '../../domain/statuses/find-by-uri.ts'
import { findVisibleStatuses } from '../../domain/statuses/visibility.ts'
import type { Handler, Incoming } from './incoming.ts'

/**
 * Somebody asks to quote a post of ours. They are answered as its author decided beforehand; a post that they cannot read is
 * not there for them.
 */
export const quoteRequest: Handler = async (ctx, incoming) => {
  const { activity, actor, forwarded } = incoming
  const { objectId, instrumentId } = activity
  if (forwarded || objectId === null || instrumentId === null) return
  const known = await findStatusByUri(ctx, objectId)
  if (!known || !known.local || known.reblog_of_id !== null) return
  const [quoted] = await findVisibleStatuses(ctx, { accountId: actor.id }, [known.id])
  if (!quoted) return
  const request = { uri: activity.id, instrument: instrumentId, object: objectId, requesterId: actor.id }
  const answer = { accountId: quoted.account_id, quote: request }
  const mayQuote = (await approvalOf(ctx, quoted, actor.id)) === 'automatic'
  const quotingId = mayQuote ? await findQuoting(ctx, incoming, instrumentId) : null
  const quote = quotingId === null ? null : await findQuoteOf(ctx, quotingId)
  const isAsSaid = quote?.account_id === actor.id && quote.quoted_status_id === quoted.id
  if (!quote || !isAsSaid || quote.state === 'revoked')
    return ctx.enqueue('federation.distribute', { activity: 'reject-quote', ...answer, quoteId: null })
  await ctx.transaction(async (tx) => {
    await acceptQuote(tx, quote.id, null)
    await tx.enqueue('federation.distribute', { activity: 'accept-quote', ...answer, quoteId: quote.id })
  })
}

/** The post that quotes: known, sent along, or fetched; by the one who asks. */
async function findQuoting(ctx: Context, { activity, actor }: Incoming, uri: string): Promise<string | null> {
  const known = await findStatusByUri(ctx, uri)
  if (known) return known.account_id === actor.id ? known.id : null
  if (!isSameHost(uri, actor.uri ?? '')) return null
  const sent = typeof activity.instrument === 'string' ? null : parseObject(activity.instrument)
  const note = sent?.id === uri ? sent : await fetchNote(ctx, uri)
  return note && note.id === uri && note.attributedTo === actor.uri
    ? receiveNote(ctx, note, actor, { resolveMentions: true })
    : null
}
