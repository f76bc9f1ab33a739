import { parseObject, type Note } from '../../../ap/note.ts'
import type { Context } from '../../../context.ts'
import { findAccount } from '../../../domain/accounts/find.ts'
import { fetchActor } from '../../../actions/remote/resolve-account.ts'
import { isRelevant } from '../../../domain/statuses/audience.ts'
import { fetchNote, receiveNote, reviseNote } from '../../../actions/remote/receive-status.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import { trustedObject, type Handler, type Incoming } from './incoming.ts'

/** Update of a profile or a status. */
export const receiveUpdate: Handler = async (ctx, incoming) => {
  const { activity, actor, forwarded } = incoming
  if (activity.objectId === null) return
  if (activity.objectId === activity.actor) {
    // Updates overtake each other, so the current document is fetched.
    if (!forwarded) await fetchActor(ctx, activity.objectId)
    return
  }
  const note = parseObject(trustedObject(incoming), activity.actor)
  if (note?.attributedTo === actor.uri) return apply(ctx, incoming, note)
  // The embedded object is not trusted: fetch the status from its origin.
  await rereadIfKnown(ctx, activity.objectId)
}

/** Fetches a known remote status again. */
export async function rereadIfKnown(ctx: Context, uri: string): Promise<void> {
  const known = await findStatusByUri(ctx, uri)
  if (known && known.domain !== null && known.reblog_of_id === null) await reread(ctx, known.id, known.account_id, uri)
}

async function apply(ctx: Context, { activity, actor }: Incoming, note: Note): Promise<void> {
  if (note.to.length + note.cc.length === 0) Object.assign(note, { to: activity.to, cc: activity.cc })
  const known = await findStatusByUri(ctx, note.id)
  if (known) {
    if (known.account_id === actor.id && known.reblog_of_id === null)
      await reviseNote(ctx, known.id, note, actor, note.updated ?? activity.published ?? new Date(), {
        resolveMentions: true,
      })
  } else if (await isRelevant(ctx, note, actor.id)) {
    // The Update overtook the Create, which will find the status stored.
    await receiveNote(ctx, note, actor, { resolveMentions: true })
  }
}

async function reread(ctx: Context, statusId: string, authorId: string, uri: string): Promise<void> {
  const [note, author] = await Promise.all([fetchNote(ctx, uri), findAccount(ctx, authorId)])
  if (note && author && note.id === uri && note.attributedTo === author.uri)
    await reviseNote(ctx, statusId, note, author, note.updated ?? new Date())
}
