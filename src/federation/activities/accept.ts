import { isSameHost, urlOf } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { authorizeFollow, rejectFollow } from '../../domain/relationships/requests.ts'
import { acceptQuote, endQuote } from '../../domain/interactions/quotes.ts'
import { findStatusByUri } from '../../domain/statuses/find-by-uri.ts'
import { findQuote, findQuoteOf, type QuoteRow } from '../../domain/statuses/quotes.ts'
import { isId } from '../../lib/ids.ts'
import { findOurs, type Handler, type Incoming } from './incoming.ts'

/** One of ours is accepted as a follower, or may quote a post; then there is a stamp to show. */
export const accept: Handler = async (ctx, incoming) => {
  if (isAboutQuote(incoming)) {
    const [quote, stamp] = [await findRequestedQuote(ctx, incoming), incoming.activity.result]
    if (quote && stamp !== null && isSameHost(stamp, incoming.actor.uri ?? '')) await acceptQuote(ctx, quote.id, stamp)
    return
  }
  const follower = await findFollower(ctx, incoming)
  if (follower) await authorizeFollow(ctx, { accountId: incoming.actor.id, followerId: follower.id })
}

/** One of ours is refused, or not wanted as a follower any more; or may not quote a post. */
export const reject: Handler = async (ctx, incoming) => {
  if (isAboutQuote(incoming)) {
    const quote = await findRequestedQuote(ctx, incoming)
    if (quote) await endQuote(ctx, quote.id, quote.state === 'accepted' ? 'revoked' : 'rejected')
    return
  }
  const follower = await findFollower(ctx, incoming)
  if (follower) await rejectFollow(ctx, { accountId: incoming.actor.id, followerId: follower.id })
}

/** Our follows are named after who follows, so their id tells enough; otherwise the embedded Follow says whose it is. */
async function findFollower(ctx: Context, { activity, actor }: Incoming): Promise<AccountRow | null> {
  const { object, objectId, objectTypes } = activity
  if (object !== null && typeof object !== 'string') {
    if (objectTypes.length > 0 && !objectTypes.includes('Follow')) return null
    const followed = urlOf(object['object'])
    if (followed !== null && followed !== actor.uri) return null
    const follower = await findOurs(ctx, urlOf(object['actor']))
    if (follower) return follower
  }
  return objectId !== null && objectId.includes('#follows/') ? findOurs(ctx, objectId) : null
}

const REQUEST = /#quote_requests\/(\d+)$/

const isAboutQuote = ({ activity: { objectId, objectTypes } }: Incoming): boolean =>
  objectTypes.includes('QuoteRequest') || REQUEST.test(objectId ?? '')

/** The quote that one of ours asked for, by the name of the request or by the post that quotes; of the actor's posts only. */
async function findRequestedQuote(ctx: Context, { activity, actor, forwarded }: Incoming): Promise<QuoteRow | null> {
  const { object, objectId } = activity
  if (forwarded) return null
  const id = REQUEST.exec(objectId ?? '')?.[1] ?? ''
  const instrument = object !== null && typeof object !== 'string' ? urlOf(object['instrument']) : null
  const quoting = instrument === null ? null : await findStatusByUri(ctx, instrument)
  const quote = isId(id) ? await findQuote(ctx, id) : quoting && (await findQuoteOf(ctx, quoting.id))
  return quote?.quoted_account_id === actor.id ? quote : null
}
