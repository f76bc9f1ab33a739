import { recipientsOf, reblogVisibilityOf } from '../../../ap/audience.ts'
import { requestType } from '../../../ap/authorization.ts'
import { asObject, isSameHost, typesOf, urlOf, type Json } from '../../../ap/normalise.ts'
import { parseObject } from '../../../ap/note.ts'
import type { Context } from '../../../context.ts'
import { answerFeatureRequest, resolveCollection } from '../../../actions/collections/remote.ts'
import { reblog } from '../../../actions/statuses/reblog.ts'
import { fetchNote, receiveNote } from '../../../actions/remote/receive-status.ts'
import { favourite } from '../../../actions/statuses/interactions.ts'
import { findFavourite } from '../../../domain/statuses/interactions.ts'
import { acceptQuote } from '../../../actions/statuses/quote.ts'
import { findStatusByUri, type StatusRow } from '../../../domain/statuses/find.ts'
import { permissionFor } from '../../../domain/statuses/interaction-policy.ts'
import { approvalOf, findQuoteOf } from '../../../domain/statuses/quotes/quotes.ts'
import { findVisibleStatuses, mayReblog } from '../../../domain/statuses/visibility.ts'
import type { Interaction } from '../../../jobs/distribution.ts'
import { findLocalTarget, type Handler, type Incoming } from './incoming.ts'
import { federate } from '../../../actions/federate.ts'

/** Stores the interaction if the policy of the target permits it. Returns the id of its row, or null to reject it. */
type Store = (ctx: Context, incoming: Incoming, target: StatusRow, uri: string) => Promise<string | null>

/**
 * Stores and authorizes the interaction, or rejects it, as the policy of the author says. Ignores a request about a post that
 * the account cannot see.
 */
const answerWith =
  (kind: Interaction, store: Store): Handler =>
  async (ctx, incoming) => {
    const { activity, actor, forwarded } = incoming
    const { objectId, instrumentId } = activity
    if (forwarded || objectId === null || instrumentId === null) return
    const known = await findStatusByUri(ctx, objectId)
    if (!known || !known.local || known.reblog_of_id !== null) return
    const [target] = await findVisibleStatuses(ctx, { accountId: actor.id }, [known.id])
    if (!target) return
    const id = isSameHost(instrumentId, actor.uri ?? '') ? await store(ctx, incoming, target, instrumentId) : null
    await federate(ctx, {
      activity: 'answer-request',
      interaction: kind,
      accountId: target.account_id,
      request: { uri: activity.id, instrument: instrumentId, object: objectId, requesterId: actor.id },
      id,
    })
  }

const storeQuote: Store = async (ctx, incoming, target, uri) => {
  const { actor } = incoming
  if ((await approvalOf(ctx, target, actor.id)) !== 'automatic') return null
  const quotingId = await findPost(ctx, incoming, uri)
  const quote = quotingId === null ? null : await findQuoteOf(ctx, quotingId)
  if (!quote || quote.account_id !== actor.id || quote.quoted_status_id !== target.id) return null
  if (quote.state === 'revoked') return null
  await acceptQuote(ctx, quote.id, null)
  return quote.id
}

const storeReply: Store = async (ctx, incoming, target, uri) => {
  if ((await permissionFor(ctx, target, incoming.actor.id, 'reply')) !== 'allowed') return null
  const id = await findPost(ctx, incoming, uri)
  const [reply] = id === null ? [] : await findVisibleStatuses(ctx, { accountId: incoming.actor.id }, [id])
  return reply?.in_reply_to_id === target.id ? reply.id : null
}

const storeLike: Store = async (ctx, { activity, actor }, target, uri) => {
  if ((await permissionFor(ctx, target, actor.id, 'like')) !== 'allowed') return null
  if (!isAbout(activity.instrument, 'Like', actor.uri, activity.objectId)) return null
  await favourite(ctx, actor.id, target.id, { uri })
  return findFavourite(ctx, actor.id, target.id)
}

const storeAnnounce: Store = async (ctx, { activity, actor }, target, uri) => {
  if (!mayReblog(actor.id, target) || (await permissionFor(ctx, target, actor.id, 'announce')) !== 'allowed')
    return null
  const announce = isAbout(activity.instrument, 'Announce', actor.uri, activity.objectId)
  if (!announce) return null
  const visibility = reblogVisibilityOf(recipientsOf(announce['to']), recipientsOf(announce['cc']), actor.followers_url)
  return (await reblog(ctx, { accountId: actor.id, statusId: target.id, uri, visibility })).id
}

function isAbout(instrument: unknown, type: string, actorUri: string | null, target: string | null): Json | null {
  const activity = asObject(instrument)
  if (activity === null || !typesOf(activity).includes(type)) return null
  return urlOf(activity['actor']) === actorUri && urlOf(activity['object']) === target ? activity : null
}

/** Fetches the post if it is neither known nor embedded. Returns null unless the actor is its author. */
async function findPost(ctx: Context, { activity, actor }: Incoming, uri: string): Promise<string | null> {
  const known = await findStatusByUri(ctx, uri)
  if (known) return known.account_id === actor.id ? known.id : null
  const sent = parseObject(activity.instrument)
  const note = sent?.id === uri ? sent : await fetchNote(ctx, uri)
  return note && note.id === uri && note.attributedTo === actor.uri
    ? receiveNote(ctx, note, actor, { resolveMentions: true })
    : null
}

/** A remote account asks a local one to be in its collection (FEP-7aa9). */
const receiveFeatureRequest: Handler = async (ctx, { activity, actor, forwarded }) => {
  const { id, objectId, instrumentId } = activity
  if (forwarded || objectId === null || instrumentId === null) return
  const account = await findLocalTarget(ctx, objectId)
  if (!account) return
  const collectionId = await resolveCollection(ctx, actor, instrumentId)
  const request = { uri: id, instrument: instrumentId, object: objectId, requesterId: actor.id }
  await answerFeatureRequest(ctx, account.id, collectionId, request)
}

export const requests: Readonly<Record<string, Handler>> = {
  [requestType('quote')]: answerWith('quote', storeQuote),
  [requestType('reply')]: answerWith('reply', storeReply),
  [requestType('announce')]: answerWith('announce', storeAnnounce),
  [requestType('like')]: answerWith('like', storeLike),
  [requestType('feature')]: receiveFeatureRequest,
}
