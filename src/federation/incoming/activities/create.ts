import { parseObject, parseVote } from '../../../ap/note.ts'
import { fetchStatus, receiveNote } from '../../../actions/remote/receive-status.ts'
import { isFollowedHere, isRelevant } from '../../../domain/statuses/audience.ts'
import { receiveVote } from '../../../actions/statuses/polls.ts'
import { findVisibleStatuses } from '../../../domain/statuses/visibility.ts'
import { isAddressedHere } from '../../../domain/statuses/mentions.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import type { Context } from '../../../context.ts'
import { trustedObject, type Handler, type Incoming } from './incoming.ts'

/** A new status. */
export const receiveCreate: Handler = async (ctx, incoming) => {
  const { activity, actor } = incoming
  const object = trustedObject(incoming)
  const note = parseObject(object, activity.actor)
  if (!note || note.attributedTo !== actor.uri) return fetchInstead(ctx, incoming)
  const vote = parseVote(note, object)
  if (vote) return receive(ctx, incoming, vote)
  // Some servers address only the activity.
  if (note.to.length + note.cc.length === 0) Object.assign(note, { to: activity.to, cc: activity.cc })
  if (await isRelevant(ctx, note, actor.id)) await receiveNote(ctx, note, actor, { resolveMentions: true })
}

/** A vote counts if its author may read the poll. */
async function receive(ctx: Context, { actor }: Incoming, vote: { option: string; question: string }): Promise<void> {
  const known = await findStatusByUri(ctx, vote.question)
  const [status] = known?.local ? await findVisibleStatuses(ctx, { accountId: actor.id }, [known.id]) : []
  if (status) await receiveVote(ctx, actor.id, status.id, vote.option)
}

/**
 * The object is by another author, or only its id was sent. It is fetched from its origin when the sender has local followers,
 * when it addresses a local account, or when it replies to a known status.
 */
async function fetchInstead(ctx: Context, { activity, actor, forwarded }: Incoming): Promise<void> {
  if (activity.objectId === null) return
  const hint = parseObject(activity.object)
  const answersKnown = hint?.inReplyTo ? (await findStatusByUri(ctx, hint.inReplyTo)) !== null : false
  const isWanted = async (): Promise<boolean> =>
    (await isFollowedHere(ctx, actor.id)) || isAddressedHere(ctx, { ...activity, tags: [] })
  if (answersKnown || (!forwarded && (await isWanted()))) await fetchStatus(ctx, activity.objectId, { loud: true })
}
