import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { notify, unnotify } from '../notifications/notify.ts'
import { countQuotes, type QuoteState } from '../../domain/statuses/quotes/quotes.ts'
import { getVisibleStatus, type MaybeViewer } from '../../domain/statuses/visibility.ts'
import { federate } from '../federate.ts'

type Settled = {
  id: string
  status_id: string
  account_id: string
  /** Whether the author of the quote is of this server, and whether that of the quoted post is. */
  local: boolean
  quoted_local: boolean
  quoted_status_id: string | null
  quoted_account_id: string | null
  was: QuoteState
}

/** What follows from a new post that quotes: the quoted author is told, or asked. */
export async function tellOfQuote(tx: Context, { id: statusId, local }: { id: string; local: boolean }): Promise<void> {
  const quote = await tx.db.maybe<{
    id: string
    account_id: string
    state: QuoteState
    quoted_account_id: string | null
  }>(sql`select id, account_id, state, quoted_account_id from quotes where status_id = ${statusId}`)
  if (!quote || quote.quoted_account_id === null) return
  if (quote.state === 'accepted')
    await notify(tx, { type: 'quote', fromAccountId: quote.account_id, statusId, to: [quote.quoted_account_id] })
  else if (local)
    await federate(tx, {
      activity: 'request',
      interaction: 'quote',
      accountId: quote.account_id,
      id: quote.id,
    })
}

/** Changes the state of a quote; null when it is not there, or is in that state. */
async function settle(tx: Context, id: string, state: QuoteState, approvalUri: string | null): Promise<Settled | null> {
  return tx.db.maybe<Settled>(sql`
    with before as (select * from quotes where id = ${id} for update)
    update quotes q set state = ${state}, approval_uri = ${approvalUri} from before
      join accounts a on a.id = before.account_id left join accounts qa on qa.id = before.quoted_account_id
    where q.id = before.id and before.state <> ${state}
    returning q.id, q.status_id, q.account_id, a.domain is null as local, qa.id is not null and qa.domain is null as quoted_local,
      q.quoted_status_id, q.quoted_account_id, before.state as was`)
}

/** Whoever has the post in sight sees it anew; other servers are told when it is of this one. */
async function show(tx: Context, { status_id: statusId, local }: Settled): Promise<void> {
  tx.publish({ type: 'status.edited', id: statusId })
  if (local) await federate(tx, { activity: 'refresh', statusId })
}

/**
 * A quoted author agrees; `approvalUri` is the stamp, where that author is of another server. It counts, and an author of this
 * server is told. Gives whether it is new.
 */
export async function acceptQuote(ctx: Context, id: string, approvalUri: string | null): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const quote = await settle(tx, id, 'accepted', approvalUri)
    if (!quote) return false
    if (quote.quoted_status_id !== null) await countQuotes(tx, quote.quoted_status_id, 1)
    if (quote.quoted_local && quote.quoted_account_id !== null)
      await notify(tx, {
        type: 'quote',
        fromAccountId: quote.account_id,
        statusId: quote.status_id,
        to: [quote.quoted_account_id],
      })
    await show(tx, quote)
    return true
  })
}

/** A quoted author refuses, or does not agree any longer. Gives whether it is new. */
export async function endQuote(ctx: Context, id: string, state: 'rejected' | 'revoked'): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const quote = await settle(tx, id, state, null)
    if (!quote) return false
    if (quote.was === 'accepted' && quote.quoted_status_id !== null) await countQuotes(tx, quote.quoted_status_id, -1)
    await unnotify(tx, { type: 'quote', fromAccountId: quote.account_id, statusId: quote.status_id })
    await show(tx, quote)
    return true
  })
}

/**
 * Somebody of this server takes back the consent to a quote of a post of theirs. Other servers are told. Throws NotFound for
 * posts that are hidden and quotes that are not accepted, Forbidden for posts of others.
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
    const quote = await tx.db.maybe<{ id: string; account_id: string }>(sql`
      select id, account_id from quotes where status_id = ${quotingId} and quoted_status_id = ${statusId} and state = 'accepted' for update`)
    if (!quote) throw new NotFound()
    await endQuote(tx, quote.id, 'revoked')
    await federate(tx, {
      activity: 'revoke-quote',
      accountId: author.accountId,
      quoteId: quote.id,
      quotedStatusId: statusId,
      to: [quote.account_id],
    })
  })
}

/** The accepted quote with this stamp of another server, by its quoted author; or null. */
export async function findQuoteByApproval(ctx: Context, uri: string, quotedAccountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(
    sql`select id from quotes where approval_uri = ${uri} and quoted_account_id = ${quotedAccountId} and state = 'accepted'`,
  )
  return row?.id ?? null
}
