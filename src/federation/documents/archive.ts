import type { ArchiveDocuments } from '../../actions/portability/archive.ts'
import { renderPublication } from '../outgoing/render/activity.ts'
import { renderActor } from '../outgoing/render/actor.ts'
import { loadBoosts } from '../outgoing/render/boost.ts'
import { loadNotes } from '../outgoing/render/note.ts'

/** The documents of an account's archive, in the form that other servers receive. */
export const archiveDocuments: ArchiveDocuments = {
  actor: renderActor,
  async activities(ctx, ids) {
    const [notes, boosts] = await Promise.all([loadNotes(ctx, ids), loadBoosts(ctx, ids)])
    return ids.flatMap((id): Record<string, unknown>[] => {
      const document = renderPublication(ctx, notes.get(id), boosts.get(id))
      return document ? [document] : []
    })
  },
}
