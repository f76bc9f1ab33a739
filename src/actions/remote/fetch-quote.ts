import { parseLocalUrl } from '../../domain/server/addresses.ts'
import type { Context } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { findPendingRemoteQuote, linkQuote, type PendingRemoteQuote } from '../../domain/statuses/remote.ts'
import { acceptQuote, rejectQuote } from '../statuses/quote.ts'
import { checkAuthorization } from './authorizations.ts'
import { fetchRemoteStatus } from './receive-status.ts'

/**
 * Job `federation.quote`: fetches the quoted status if it is not stored here, and checks whether its author authorized the
 * quote. Does not fetch a quote inside the quoted status.
 */
export async function fetchQuoted(ctx: Context, { statusId }: JobData['federation.quote']): Promise<void> {
  const quote = await findPendingRemoteQuote(ctx, statusId)
  if (!quote) return
  const quotedId = quote.quoted_status_id ?? (await fetchQuotedStatus(ctx, quote))
  if (quotedId === null) return
  const quoted = await linkQuote(ctx, quote.id, quotedId)
  if (!quoted) return
  if (quoted.account_id === quote.account_id) return void (await acceptQuote(ctx, quote.id, null))
  if (quote.approval_uri === null) return
  const state = await checkAuthorization(ctx, {
    kind: 'quote',
    uri: quote.approval_uri,
    authorUri: quoted.author_uri,
    interactingObject: quote.uri,
    interactionTarget: quoted.uri,
  })
  if (state === 'valid') await acceptQuote(ctx, quote.id, quote.approval_uri)
  else if (state === 'gone') await rejectQuote(ctx, quote.id, 'rejected')
}

async function fetchQuotedStatus(ctx: Context, { quoted_uri: uri }: PendingRemoteQuote): Promise<string | null> {
  // A local status that the quoting author could not read when quoting it stays hidden from that author.
  if (uri === null || parseLocalUrl(ctx, uri)) return null
  return fetchRemoteStatus(ctx, uri, { thread: false, quotes: false })
}
