import { noteContext } from '../ap/context.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri, statusUri } from '../domain/instance/addresses.ts'
import { NotFound } from '../lib/errors.ts'
import type { Of, Outgoing } from './distribute.ts'
import { findAccountUri, usernameOf } from './accounts.ts'
import { quoteAuthorizationUri, quoteRequestUri } from './ids.ts'
import { loadNotes, renderNote } from './render/note.ts'

/** QuoteRequest: one of ours asks to quote a post of another server. The post that quotes comes along. */
export async function requestQuote(
  ctx: Context,
  { accountId, quoteId }: Of<'request-quote'>,
): Promise<Outgoing | null> {
  const quote = await ctx.db.maybe<{ status_id: string; uri: string | null; author_id: string }>(sql`
    select q.status_id, s.uri, s.account_id as author_id from quotes q join statuses s on s.id = q.quoted_status_id
    where q.id = ${quoteId} and q.state = 'pending'`)
  const note = quote && (await loadNotes(ctx, [quote.status_id])).get(quote.status_id)
  if (!quote?.uri || !note) return null
  const activity = {
    '@context': noteContext,
    id: quoteRequestUri(ctx, note.username, quoteId),
    type: 'QuoteRequest',
    actor: accountUri(ctx, note.username),
    object: quote.uri,
    instrument: renderNote(ctx, note),
  }
  return { accountId, activity, to: { accountIds: [quote.author_id] } }
}

/** Accept, with a stamp, or Reject of another server's wish to quote a post of ours. */
export async function acceptOrRejectQuote(
  ctx: Context,
  { activity: answer, accountId, quote, quoteId }: Of<'accept-quote' | 'reject-quote'>,
  eventId: string,
): Promise<Outgoing | null> {
  const [username, requester] = await Promise.all([usernameOf(ctx, accountId), findAccountUri(ctx, quote.requesterId)])
  if (username === null || requester === null) return null
  const accepts = answer === 'accept-quote'
  const actor = accountUri(ctx, username)
  const activity = {
    '@context': noteContext,
    id: `${actor}#${accepts ? 'accepts' : 'rejects'}/quote_requests/${eventId}`,
    type: accepts ? 'Accept' : 'Reject',
    actor,
    to: requester,
    object: {
      ...(quote.uri === null ? {} : { id: quote.uri }),
      type: 'QuoteRequest',
      actor: requester,
      object: quote.object,
      instrument: quote.instrument,
    },
    ...(accepts && quoteId !== null ? { result: quoteAuthorizationUri(ctx, username, quoteId) } : {}),
  }
  return { accountId, activity, to: { accountIds: [quote.requesterId] } }
}

/** Delete of a stamp: one of ours does not agree any longer. Whoever has the quoted post may have the quote, too. */
export async function revokeQuote(ctx: Context, data: Of<'revoke-quote'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const stamp = quoteAuthorizationUri(ctx, username, data.quoteId)
  const activity = {
    '@context': noteContext,
    id: `${stamp}#delete`,
    type: 'Delete',
    actor: accountUri(ctx, username),
    object: { id: stamp, type: 'QuoteAuthorization' },
  }
  return {
    accountId: data.accountId,
    activity,
    to: { accountIds: data.to, followersOf: [data.accountId], reachOf: data.quotedStatusId },
  }
}

type Stamp = {
  id: string
  username: string
  uri: string | null
  quoting_username: string
  status_id: string
  quoted_status_id: string
}

/** GET /users/:username/quote_authorizations/:id: the stamp of an accepted quote. Throws NotFound. */
export async function quoteAuthorization(
  ctx: Context,
  account: { id: string; username: string },
  id: string,
): Promise<unknown> {
  const row = await ctx.db.maybe<Stamp>(sql`
    select q.id, s.uri, a.username as quoting_username, q.status_id, q.quoted_status_id
    from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = s.account_id
    join statuses o on o.id = q.quoted_status_id and o.visibility in ('public', 'unlisted')
    where q.id = ${id} and q.quoted_account_id = ${account.id} and q.state = 'accepted'`)
  if (!row) throw new NotFound()
  return {
    '@context': noteContext,
    id: quoteAuthorizationUri(ctx, account.username, row.id),
    type: 'QuoteAuthorization',
    attributedTo: accountUri(ctx, account.username),
    interactingObject: row.uri ?? statusUri(ctx, row.quoting_username, row.status_id),
    interactionTarget: statusUri(ctx, account.username, row.quoted_status_id),
  }
}
