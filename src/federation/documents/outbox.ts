import type { ArchiveDocuments } from '../../actions/portability/archive.ts'
import { noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { newestFirst, onPage, type Pagination } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import { type MaybeViewer, notFromBlockedDomain, visibleTo } from '../../domain/statuses/visibility.ts'
import { renderPublication } from '../outgoing/render/activity.ts'
import { renderActor } from '../outgoing/render/actor.ts'
import { loadReblogs } from '../outgoing/render/reblog.ts'
import { loadNotes } from '../outgoing/render/note.ts'
import { localActor } from './actor.ts'
import { type CollectionQuery, orderedCollection, type CollectionItems } from './collection.ts'

/** The posts and boosts that the signer may see, newest first: without a signature, the public and unlisted ones. */
export async function outboxDocument(
  ctx: Context,
  signer: MaybeViewer,
  username: string,
  query: CollectionQuery,
): Promise<unknown> {
  const account = await localActor(ctx, username)
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select coalesce(max(statuses_count), 0) as n from account_stats where account_id = ${account.id}`,
  )
  const read = async (page: Pagination): Promise<CollectionItems> => {
    const rows = await ctx.db.many<{ id: string }>(sql`
      select s.id from statuses s join accounts a on a.id = s.account_id
      where s.account_id = ${account.id} and ${visibleTo(signer)} and ${notFromBlockedDomain(signer)} and ${onPage(sql`s.id`, page)}`)
    const ids = newestFirst(rows, page).map(({ id }) => id)
    const [notes, reblogs] = await Promise.all([loadNotes(ctx, ids), loadReblogs(ctx, ids)])
    const items = ids.flatMap((id) => {
      const activity = renderPublication(ctx, notes.get(id), reblogs.get(id))
      if (!activity) return []
      const { '@context': _, ...rest } = activity
      return [rest]
    })
    return { items, rowIds: ids }
  }
  const id = `${accountUri(ctx, account.username)}/outbox`
  return orderedCollection(query, { id, total: n, context: noteContext, read })
}

export const archiveDocuments: ArchiveDocuments = {
  actor: renderActor,
  async activities(ctx, ids) {
    const [notes, reblogs] = await Promise.all([loadNotes(ctx, ids), loadReblogs(ctx, ids)])
    return ids.flatMap((id): Record<string, unknown>[] => {
      const document = renderPublication(ctx, notes.get(id), reblogs.get(id))
      return document ? [document] : []
    })
  },
}
