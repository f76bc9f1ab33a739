import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri, statusUri } from '../domain/instance/addresses.ts'
import type { ArchiveDocuments } from '../domain/portability/build-archive.ts'
import { renderAnnounce, renderCreate } from './render/activity.ts'
import { renderActor } from './render/actor.ts'
import { loadNotes } from './render/note.ts'

type Boost = {
  id: string
  username: string
  visibility: string
  created_at: Date
  original_id: string
  original_uri: string | null
  author_username: string
  author_uri: string | null
}

/** How somebody's archive is written down: as other servers are told of it. */
export const archiveDocuments: ArchiveDocuments = {
  actor: renderActor,
  async activities(ctx, ids) {
    const [notes, boosts] = await Promise.all([loadNotes(ctx, ids), loadBoosts(ctx, ids)])
    return ids.flatMap((id): Record<string, unknown>[] => {
      const note = notes.get(id)
      const document = note ? renderCreate(ctx, note) : boosts.get(id)
      return document ? [document] : []
    })
  },
}

async function loadBoosts(ctx: Context, ids: readonly string[]): Promise<Map<string, Record<string, unknown>>> {
  const rows = await ctx.db.many<Boost>(sql`
    select s.id, a.username, s.visibility, s.created_at, o.id as original_id, o.uri as original_uri,
      oa.username as author_username, oa.uri as author_uri
    from statuses s join accounts a on a.id = s.account_id join statuses o on o.id = s.reblog_of_id join accounts oa on oa.id = o.account_id
    where s.id = any(${ids}::bigint[]) and s.local`)
  return new Map(
    rows.map((row) => [
      row.id,
      renderAnnounce(ctx, {
        id: row.id,
        username: row.username,
        visibility: row.visibility,
        originalUri: row.original_uri ?? statusUri(ctx, row.author_username, row.original_id),
        originalAuthorUri: row.author_uri ?? accountUri(ctx, row.author_username),
        createdAt: row.created_at,
      }),
    ]),
  )
}
