import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { parseOurUrl } from '../../domain/server/addresses.ts'
import { acceptQuote } from '../statuses/quote.ts'
import { isAuthorized } from './authorizations.ts'
import { fetchRemoteStatus } from './receive-status.ts'

type Pending = {
  id: string
  account_id: string
  /** The address of the post that quotes. */
  uri: string
  quoted_uri: string | null
  quoted_status_id: string | null
  approval_uri: string | null
}

/**
 * Job `federation.quote`: fetches what a remote post quotes, where it is not known here, and looks whether the quoted author
 * agreed. What that post quotes in turn is not fetched: it is only named.
 */
export async function fetchQuoted(ctx: Context, { statusId }: JobData['federation.quote']): Promise<void> {
  const quote = await ctx.db.maybe<Pending>(sql`
    select q.id, q.account_id, s.uri, q.quoted_uri, q.quoted_status_id, q.approval_uri
    from quotes q join statuses s on s.id = q.status_id where q.status_id = ${statusId} and not s.local and q.state = 'pending'`)
  if (!quote) return
  const quotedId = quote.quoted_status_id ?? (await find(ctx, quote))
  if (quotedId === null) return
  const quoted = await link(ctx, quote.id, quotedId)
  if (!quoted) return
  if (quoted.account_id === quote.account_id) await acceptQuote(ctx, quote.id, null)
  else if (
    quote.approval_uri !== null &&
    (await isAuthorized(ctx, {
      kind: 'quote',
      uri: quote.approval_uri,
      authorUri: quoted.author_uri,
      interactingObject: quote.uri,
      interactionTarget: quoted.uri,
    }))
  )
    await acceptQuote(ctx, quote.id, quote.approval_uri)
}

async function find(ctx: Context, { quoted_uri: uri }: Pending): Promise<string | null> {
  // Of this server: who could not read it when quoting it still cannot.
  if (uri === null || parseOurUrl(ctx, uri)) return null
  return fetchRemoteStatus(ctx, uri, { thread: false, quotes: false })
}

type Quoted = { account_id: string; uri: string | null; author_uri: string | null }

async function link(ctx: Context, quoteId: string, statusId: string): Promise<Quoted | null> {
  return ctx.db.maybe<Quoted>(sql`
    update quotes q set quoted_status_id = s.id, quoted_account_id = s.account_id
    from statuses s join accounts a on a.id = s.account_id where q.id = ${quoteId} and s.id = ${statusId} and s.reblog_of_id is null
    returning s.account_id, s.uri, a.uri as author_uri`)
}
