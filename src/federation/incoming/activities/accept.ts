import { isSameHost, urlOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { authorizeFollow, rejectFollow } from '../../../actions/accounts/follow.ts'
import { acceptQuote, endQuote } from '../../../actions/statuses/quote.ts'
import { approveInteraction, endInteraction } from '../../../actions/statuses/approvals.ts'
import { findAnswered, requestedKind } from './answered.ts'
import { findLocalTarget, type Handler, type Incoming } from './incoming.ts'

/** A local account is accepted as a follower, or an interaction with a post of the actor is approved. */
export const receiveAccept: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const follower = requestedKind(incoming) === null ? await findFollower(ctx, incoming) : null
  if (follower) return void (await authorizeFollow(ctx, { accountId: actor.id, followerId: follower.id }))
  const answered = await findAnswered(ctx, incoming)
  if (!answered) return
  // GoToSocial up to 0.17 names no authorization: the Accept itself is the proof.
  const approval = activity.result ?? ('quote' in answered ? null : activity.id)
  if (approval === null || !isSameHost(approval, actor.uri ?? '')) return
  if ('quote' in answered) await acceptQuote(ctx, answered.quote.id, approval)
  else await approveInteraction(ctx, answered.interaction, approval)
}

/** A local account is rejected or removed as a follower, or an interaction with a post of the actor is not approved (any more). */
export const receiveReject: Handler = async (ctx, incoming) => {
  const follower = requestedKind(incoming) === null ? await findFollower(ctx, incoming) : null
  if (follower) return void (await rejectFollow(ctx, { accountId: incoming.actor.id, followerId: follower.id }))
  const answered = await findAnswered(ctx, incoming)
  if (!answered) return
  if ('quote' in answered) {
    const { id, state } = answered.quote
    return void (await endQuote(ctx, id, state === 'accepted' ? 'revoked' : 'rejected'))
  }
  const wasApproved = answered.interaction.approvalUri !== null && answered.interaction.approval === null
  await endInteraction(ctx, answered.interaction, wasApproved ? 'revoked' : 'rejected')
}

/** The local follower: the actor of the embedded Follow, or else the account in the id of a local Follow. */
async function findFollower(ctx: Context, { activity, actor }: Incoming): Promise<AccountRow | null> {
  const { object, objectId, objectTypes } = activity
  if (object !== null && typeof object !== 'string') {
    if (objectTypes.length > 0 && !objectTypes.includes('Follow')) return null
    const followed = urlOf(object['object'])
    if (followed !== null && followed !== actor.uri) return null
    const follower = await findLocalTarget(ctx, urlOf(object['actor']))
    if (follower) return follower
  }
  return objectId !== null && objectId.includes('#follows/') ? findLocalTarget(ctx, objectId) : null
}
