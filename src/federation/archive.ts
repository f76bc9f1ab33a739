import type { ArchiveDocuments } from '../domain/portability/build-archive.ts'
import { loadAnnounces } from './documents.ts'
import { renderCreate } from './render/activity.ts'
import { renderActor } from './render/actor.ts'
import { loadNotes } from './render/note.ts'

/** How somebody's archive is written down: as other servers are told of it. */
export const archiveDocuments: ArchiveDocuments = {
  actor: renderActor,
  async activities(ctx, ids) {
    const [notes, boosts] = await Promise.all([loadNotes(ctx, ids), loadAnnounces(ctx, ids)])
    return ids.flatMap((id): Record<string, unknown>[] => {
      const note = notes.get(id)
      const document = note ? renderCreate(ctx, note) : boosts.get(id)
      return document ? [document] : []
    })
  },
}
