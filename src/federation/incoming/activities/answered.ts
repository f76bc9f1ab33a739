import { requestType } from '../../../ap/authorization.ts'
import { urlOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { findFavouriteByUri, findInteraction, type ApprovableInteraction } from '../../../actions/statuses/approvals.ts'
import { parseOurUrl } from '../../../domain/server/addresses.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { findQuote, findQuoteOf, type QuoteRow } from '../../../domain/statuses/quotes/quotes.ts'
import type { Interaction } from '../../../jobs/distribution.ts'
import { isId } from '../../../lib/ids.ts'
import type { Incoming } from './incoming.ts'

const KINDS: readonly Interaction[] = ['quote', 'reply', 'announce', 'like']
const REQUEST = /#(quote|reply|announce|like)_requests\/(\d+)$/
const LIKE = /#likes\/(\d+)$/

/** What an Accept or Reject answers: a quote, or another interaction with a post of the actor. */
export type Answered = { quote: QuoteRow } | { interaction: ApprovableInteraction }

/** The kind of request that an Accept or Reject answers; null when it answers none. */
export function requestedKind({ activity: { objectId, objectTypes } }: Incoming): Interaction | null {
  return (
    KINDS.find((kind) => objectTypes.includes(requestType(kind))) ??
    (REQUEST.exec(objectId ?? '')?.[1] as Interaction | undefined) ??
    null
  )
}

/**
 * What is answered, by the name of our request or by that of the interaction, which is the object itself where no request was
 * made. Only the author of the target may answer; null otherwise.
 */
export async function findAnswered(ctx: Context, incoming: Incoming): Promise<Answered | null> {
  const { activity, actor, forwarded } = incoming
  if (forwarded) return null
  const { object, objectId } = activity
  const kind = requestedKind(incoming)
  const embedded = object !== null && typeof object !== 'string' ? object : null
  const id =
    kind !== null && objectId !== null && parseRequest(ctx, objectId) === kind ? REQUEST.exec(objectId)?.[2] : undefined
  const uri = kind === null ? objectId : urlOf(embedded?.['instrument'])
  if (kind === 'quote') {
    const quoting = uri === null ? null : await findStatusByUri(ctx, uri)
    const quote = id !== undefined ? await findQuote(ctx, id) : quoting && (await findQuoteOf(ctx, quoting.id))
    return quote?.quoted_account_id === actor.id ? { quote } : null
  }
  const interaction =
    id !== undefined && kind !== null
      ? await findInteraction(ctx, kind, id)
      : uri === null
        ? null
        : await findByUri(ctx, uri)
  if (interaction?.targetAccountId !== actor.id || (kind !== null && interaction.kind !== kind)) return null
  return { interaction }
}

/** The kind that the id of a request of this server names. */
function parseRequest(ctx: Context, uri: string): string | null {
  const match = REQUEST.exec(uri)
  return match?.[2] !== undefined && isId(match[2]) && parseOurUrl(ctx, uri) ? (match[1] ?? null) : null
}

async function findByUri(ctx: Context, uri: string): Promise<ApprovableInteraction | null> {
  const like = LIKE.exec(uri)?.[1]
  if (like !== undefined && parseOurUrl(ctx, uri)) return isId(like) ? findInteraction(ctx, 'like', like) : null
  const status = await findStatusByUri(ctx, uri)
  if (!status) return findFavouriteByUri(ctx, uri)
  return findInteraction(ctx, status.reblog_of_id === null ? 'reply' : 'announce', status.id)
}
