import { type ApprovableInteraction, findFavouriteByUri, findInteraction } from '../../../domain/statuses/approvals.ts'
import { isRelayFollowUri, storeRelayAnswer } from '../../../domain/moderation/relays.ts'
import { parseLocalUrl } from '../../../domain/server/addresses.ts'
import { authorizeFollow, rejectFollow, unauthorizeFollow } from '../../../actions/accounts/follow.ts'
import { approveInteraction, rejectInteraction } from '../../../actions/statuses/approvals.ts'
import { acceptItem, rejectItem } from '../../../actions/collections/change.ts'
import { acceptQuote, rejectQuote } from '../../../actions/statuses/quote.ts'
import { requestType } from '../../../ap/authorization.ts'
import { asObject, isSameHost, urlOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import type { CollectionItems } from '../../../db/schema.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { findRequestedItem } from '../../../domain/collections/items.ts'
import { isFollowedHere } from '../../../domain/statuses/audience.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { type QuoteRow, findQuote, findQuoteOf } from '../../../domain/statuses/quotes/quotes.ts'
import { type Handler, type Incoming, findLocalTarget } from './incoming.ts'
import type { Requested } from '../../../jobs/distribution.ts'
import { isId } from '../../../lib/ids.ts'
import { idInLikeUri, isFollowUri, parseRequestUri, REQUESTED_KINDS } from '../../ids.ts'

export const receiveAccept: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  if (await receiveRelayAnswer(ctx, incoming, 'accepted')) return
  const follower = await findFollower(ctx, incoming)
  if (follower) return startFollowing(ctx, actor, follower)
  const answered = await findAnswered(ctx, incoming)
  if (!answered) return
  // GoToSocial up to 0.17 gives no authorization: the Accept itself is the proof.
  const approval = activity.result ?? ('interaction' in answered ? activity.id : null)
  if (approval === null || !isSameHost(approval, actor.uri ?? '')) return
  if ('quote' in answered) await acceptQuote(ctx, answered.quote.id, approval)
  else if ('item' in answered) await acceptItem(ctx, answered.item.id, approval)
  else await approveInteraction(ctx, answered.interaction, approval)
}

/** For the first local follower, the account is read again: some of its pinned posts may be for followers. */
async function startFollowing(ctx: Context, account: AccountRow, follower: AccountRow): Promise<void> {
  const isFirst = !(await isFollowedHere(ctx, account.id))
  await ctx.transaction(async (tx) => {
    const isAccepted = await authorizeFollow(tx, { accountId: account.id, followerId: follower.id })
    if (isFirst && isAccepted)
      await tx.enqueue('federation.refresh', { accountId: account.id, force: true }, { key: account.id })
  })
}

export const receiveReject: Handler = async (ctx, incoming) => {
  if (await receiveRelayAnswer(ctx, incoming, 'rejected')) return
  const follower = await findFollower(ctx, incoming)
  if (follower) return void (await rejectFollow(ctx, { accountId: incoming.actor.id, followerId: follower.id }))
  const answered = await findAnswered(ctx, incoming)
  if (!answered) return
  if ('quote' in answered) {
    const { id, state } = answered.quote
    return rejectQuote(ctx, id, state === 'accepted' ? 'revoked' : 'rejected')
  }
  if ('item' in answered) {
    const { id, state } = answered.item
    return rejectItem(ctx, id, state === 'accepted' ? 'revoked' : 'rejected')
  }
  const wasApproved = answered.interaction.approvalUri !== null && answered.interaction.approval === null
  await rejectInteraction(ctx, answered.interaction, wasApproved ? 'revoked' : 'rejected')
}

/** The Undo of an Accept. It revokes the approval of an interaction; a follow waits for another Accept. */
export const receiveUndoneAccept: Handler = async (ctx, incoming) => {
  const follower = await findFollower(ctx, incoming)
  if (!follower) return receiveReject(ctx, incoming)
  await unauthorizeFollow(ctx, { accountId: incoming.actor.id, followerId: follower.id })
}

/** Stores the answer of a relay to the Follow of the instance actor. False for other answers. */
async function receiveRelayAnswer(
  ctx: Context,
  { activity, actor, forwarded }: Incoming,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const { objectId } = activity
  if (forwarded || objectId === null || !isRelayFollowUri(objectId)) return false
  return ctx.transaction(async (tx) => {
    const stored = await storeRelayAnswer(tx, actor, objectId, state)
    if (stored) tx.publish({ type: 'settings.changed' })
    return stored
  })
}

/**
 * The local follower: the actor of the embedded Follow, or else the account in the id of a local Follow. Null for the answer to
 * another request.
 */
async function findFollower(ctx: Context, incoming: Incoming): Promise<AccountRow | null> {
  if (requestedKind(incoming) !== null) return null
  const { activity, actor } = incoming
  const { objectId, objectTypes } = activity
  const embedded = asObject(activity.object)
  if (embedded) {
    if (objectTypes.length > 0 && !objectTypes.includes('Follow')) return null
    const followed = urlOf(embedded['object'])
    if (followed !== null && followed !== actor.uri) return null
    const follower = await findLocalTarget(ctx, urlOf(embedded['actor']))
    if (follower) return follower
  }
  return objectId !== null && isFollowUri(objectId) ? findLocalTarget(ctx, objectId) : null
}

type Answered =
  | { quote: QuoteRow }
  | { item: Pick<CollectionItems, 'id' | 'state'> }
  | { interaction: ApprovableInteraction }

function requestedKind({ activity: { objectId, objectTypes } }: Incoming): Requested | null {
  return (
    REQUESTED_KINDS.find((kind) => objectTypes.includes(requestType(kind))) ??
    parseRequestUri(objectId ?? '')?.kind ??
    null
  )
}

/**
 * Finds the interaction by the id of the local request, or by its own URI if there was no request. Returns null unless the actor
 * is the author of the target.
 */
async function findAnswered(ctx: Context, incoming: Incoming): Promise<Answered | null> {
  const { activity, actor, forwarded } = incoming
  if (forwarded) return null
  const { object, objectId } = activity
  const kind = requestedKind(incoming)
  const request = parseRequest(ctx, objectId)
  const id = request !== null && request.kind === kind ? request.id : null
  const uri = kind === null ? objectId : urlOf(asObject(object)?.['instrument'])
  if (kind === 'feature') {
    const item = id === null ? null : await findRequestedItem(ctx, actor.id, id)
    return item && { item }
  }
  if (kind === 'quote') {
    const quoting = id !== null || uri === null ? null : await findStatusByUri(ctx, uri)
    const quote = id !== null ? await findQuote(ctx, id) : quoting && (await findQuoteOf(ctx, quoting.id))
    return quote?.quoted_account_id === actor.id ? { quote } : null
  }
  const interaction =
    kind !== null && id !== null ? await findInteraction(ctx, kind, id) : await findInteractionByUri(ctx, uri)
  if (interaction?.targetAccountId !== actor.id || (kind !== null && interaction.kind !== kind)) return null
  return { interaction }
}

/** Null unless it is the id of a request that this server sent. `id`: of the interaction or item. */
function parseRequest(ctx: Context, uri: string | null): { kind: Requested; id: string } | null {
  const request = parseRequestUri(uri ?? '')
  return uri !== null && request && isId(request.id) && parseLocalUrl(ctx, uri) ? request : null
}

async function findInteractionByUri(ctx: Context, uri: string | null): Promise<ApprovableInteraction | null> {
  if (uri === null) return null
  const like = idInLikeUri(uri)
  if (like !== null && parseLocalUrl(ctx, uri)) return isId(like) ? findInteraction(ctx, 'like', like) : null
  const status = await findStatusByUri(ctx, uri)
  if (!status) return findFavouriteByUri(ctx, uri)
  return findInteraction(ctx, status.reblog_of_id === null ? 'reply' : 'announce', status.id)
}
