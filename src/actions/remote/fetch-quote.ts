import { parseLocalUrl, statusUri } from '../../domain/server/addresses.ts'
import { type Context, perServer } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import {
  findPendingRemoteQuote,
  findQuoteToCheck,
  linkQuote,
  markQuoteChecked,
  type PendingRemoteQuote,
} from '../../domain/statuses/remote.ts'
import { acceptQuote, rejectQuote } from '../statuses/quote.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { checkAuthorization } from './authorizations.ts'
import { fetchStatusOrNull } from './receive-status.ts'

/** Statuses whose quotes were looked at within a day. */
const lookedAt = perServer(() => lruCache<string, true>({ max: 10_000, ttl: 24 * 3_600_000 }))

/** For a status with an accepted quote that a user opens: reads the authorization again if that was done more than a week ago. */
export async function requestQuoteCheck(ctx: Context, statusId: string): Promise<void> {
  if (lookedAt(ctx).has(statusId)) return
  lookedAt(ctx).set(statusId, true)
  if (await findQuoteToCheck(ctx, statusId)) await ctx.enqueue('federation.quote', { statusId }, { key: statusId })
}

/**
 * Job `federation.quote`: fetches the quoted status if it is not stored here, and checks whether its author authorized the
 * quote. Does not fetch a quote inside the quoted status. Of an accepted quote, checks the authorization again.
 */
export async function fetchQuoted(ctx: Context, { statusId }: JobData['federation.quote']): Promise<void> {
  const quote = await findPendingRemoteQuote(ctx, statusId)
  if (!quote) return checkAgain(ctx, statusId)
  const quotedId = quote.quoted_status_id ?? (await fetchQuotedStatus(ctx, quote))
  if (quotedId === null) return
  const quoted = await linkQuote(ctx, quote.id, quotedId)
  if (!quoted) return
  if (quoted.account_id === quote.account_id) return acceptQuote(ctx, quote.id, null)
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

/** Only the quoted author's server ends a quote, by not having the authorization any more. */
async function checkAgain(ctx: Context, statusId: string): Promise<void> {
  const quote = await findQuoteToCheck(ctx, statusId)
  if (!quote) return
  const state = await checkAuthorization(ctx, {
    kind: 'quote',
    uri: quote.approval_uri,
    authorUri: quote.author_uri,
    interactingObject: quote.local ? statusUri(ctx, quote.username, quote.status_id) : (quote.uri ?? ''),
    interactionTarget: quote.quoted_uri,
  })
  if (state === 'gone') await rejectQuote(ctx, quote.id, 'revoked')
  else await markQuoteChecked(ctx, quote.id)
}

async function fetchQuotedStatus(ctx: Context, { quoted_uri: uri }: PendingRemoteQuote): Promise<string | null> {
  // A local status that the quoting author could not read when quoting it stays hidden from that author.
  if (uri === null || parseLocalUrl(ctx, uri)) return null
  return fetchStatusOrNull(ctx, uri, { thread: false, quotes: false })
}
