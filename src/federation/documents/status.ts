import { activityStreamsContext, noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { type Pagination, onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { visibleTo, type MaybeViewer, notFromBlockedDomain } from '../../domain/statuses/visibility.ts'
import { NotFound, Gone } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { renderAnnounce, renderCreate } from '../outgoing/render/activity.ts'
import { loadReblogs } from '../outgoing/render/reblog.ts'
import { loadNotes, renderNote } from '../outgoing/render/note.ts'
import { localActor } from './actor.ts'
import {
  type CollectionQuery,
  type CollectionItems,
  collectionWithPage,
  type StatusAddress,
  statusItems,
} from './collection.ts'

type StatusPath = { username: string; id: string }

/**
 * GET /users/:username/statuses/:id: the Note of a post, or the Announce of a boost. Throws NotFound, or Gone when it was
 * deleted.
 */
export async function statusDocument(
  ctx: Context,
  viewer: MaybeViewer,
  { username, id }: StatusPath,
  as: 'object' | 'activity',
): Promise<unknown> {
  const account = await localActor(ctx, username)
  const found = isId(id) ? await findVisible(ctx, viewer, account.id, id) : null
  if (!found) {
    const gone = await ctx.db.maybe(sql`select from tombstones where uri = ${statusUri(ctx, account.username, id)}`)
    throw gone ? new Gone() : new NotFound()
  }
  if (found.reblog_of_id !== null) return announceDocument(ctx, id)
  const row = (await loadNotes(ctx, [id])).get(id)
  if (!row) throw new NotFound()
  return as === 'activity' ? renderCreate(ctx, row) : { '@context': noteContext, ...renderNote(ctx, row) }
}

async function announceDocument(ctx: Context, id: string): Promise<unknown> {
  const reblog = (await loadReblogs(ctx, [id])).get(id)
  if (!reblog) throw new NotFound()
  return renderAnnounce(ctx, reblog)
}

async function findVisible(
  ctx: Context,
  viewer: MaybeViewer,
  accountId: string,
  id: string,
): Promise<{ reblog_of_id: string | null } | null> {
  return ctx.db.maybe<{ reblog_of_id: string | null }>(sql`
    select s.reblog_of_id from statuses s join accounts a on a.id = s.account_id
    where s.id = ${id} and s.account_id = ${accountId} and s.local and ${visibleTo(viewer)} and ${notFromBlockedDomain(viewer)}`)
}

const COUNTS = { replies: sql`replies_count`, likes: sql`favourites_count`, shares: sql`reblogs_count` }

/** Throws NotFound, and as `localActor`. */
async function readCount(
  ctx: Context,
  viewer: MaybeViewer,
  { username, id }: StatusPath,
  which: keyof typeof COUNTS,
): Promise<{ uri: string; total: number }> {
  const account = await localActor(ctx, username)
  if (!isId(id) || !(await findVisible(ctx, viewer, account.id, id))) throw new NotFound()
  const stats = await ctx.db.maybe<{ total: number }>(
    sql`select ${COUNTS[which]} as total from status_stats where status_id = ${id}`,
  )
  return { uri: `${statusUri(ctx, account.username, id)}/${which}`, total: stats?.total ?? 0 }
}

/** How many accounts favourited or boosted a status, but not which. Throws as `readCount`. */
export async function statusCountDocument(
  ctx: Context,
  viewer: MaybeViewer,
  path: StatusPath,
  which: 'likes' | 'shares',
): Promise<unknown> {
  const { uri, total } = await readCount(ctx, viewer, path, which)
  return { '@context': activityStreamsContext, id: uri, type: 'Collection', totalItems: total }
}

/** Throws as `readCount`. */
export async function repliesDocument(
  ctx: Context,
  viewer: MaybeViewer,
  path: StatusPath,
  query: CollectionQuery,
): Promise<unknown> {
  const { uri, total } = await readCount(ctx, viewer, path, 'replies')
  const { id } = path
  const read = async (page: Pagination): Promise<CollectionItems> => {
    const found = await ctx.db.many<StatusAddress>(sql`
      select s.id, s.uri, a.username from statuses s join accounts a on a.id = s.account_id
      where s.in_reply_to_id = ${id} and ${visibleTo(null)} and ${onPage(sql`s.id`, page)}`)
    return statusItems(ctx, found, page)
  }
  return collectionWithPage(uri, query, total, read)
}
