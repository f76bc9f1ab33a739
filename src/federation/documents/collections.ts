import { activityStreamsContext, noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { accountUri, conversationUri, statusUri } from '../../domain/server/addresses.ts'
import { visibleTo, type MaybeViewer } from '../../domain/statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { findVisible, localActor } from './objects.ts'
import * as ids from '../ids.ts'
import { renderPublication } from '../outgoing/render/activity.ts'
import { loadBoosts } from '../outgoing/render/boost.ts'
import { loadNotes, renderNote } from '../outgoing/render/note.ts'

const PER_PAGE = 40

export type CollectionQuery = { page?: unknown; max_id?: unknown; min_id?: unknown }
/** One page: what is shown, and the ids of all rows it was made from. */
type Items = { items: unknown[]; rowIds: string[] }
type Read = (page: Pagination) => Promise<Items>

const cursorOf = (value: unknown): string | null => (typeof value === 'string' && isId(value) ? value : null)

/** The ordered collection itself, or one page of it: `?page=true&max_id=…`, or `&min_id=…` from the other end. */
async function collection(
  id: string,
  query: CollectionQuery,
  total: number,
  context: unknown,
  read: Read | null,
): Promise<unknown> {
  if (query.page === undefined || read === null) {
    const ends = read === null ? {} : { first: `${id}?page=true`, last: `${id}?page=true&min_id=0` }
    return { '@context': context, id, type: 'OrderedCollection', totalItems: total, ...ends }
  }
  const { items, ...page } = await readPage(id, query, read)
  return { '@context': context, ...page, type: 'OrderedCollectionPage', orderedItems: items }
}

type PageOfItems = { id: string; partOf: string; next?: string; prev?: string; items: unknown[] }

async function readPage(id: string, query: CollectionQuery, read: Read): Promise<PageOfItems> {
  const [maxId, minId] = [cursorOf(query.max_id), cursorOf(query.min_id)]
  const { items, rowIds } = await read({ limit: PER_PAGE, maxId, sinceId: null, minId })
  const at = (cursor: string): string => `${id}?page=true${cursor}`
  const cursor = `${maxId === null ? '' : `&max_id=${maxId}`}${minId === null ? '' : `&min_id=${minId}`}`
  const hasOlder = minId === null ? rowIds.length === PER_PAGE : minId !== '0'
  return {
    id: at(cursor),
    partOf: id,
    ...(hasOlder && rowIds.length > 0 ? { next: at(`&max_id=${rowIds.at(-1)}`) } : {}),
    ...(cursor !== '' && rowIds.length > 0 ? { prev: at(`&min_id=${rowIds[0]}`) } : {}),
    items,
  }
}

/** GET /users/:username/outbox: public and unlisted posts, and boosts, newest first. */
export async function outbox(ctx: Context, username: string, query: CollectionQuery): Promise<unknown> {
  const account = await localActor(ctx, username)
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select coalesce(max(statuses_count), 0) as n from account_stats where account_id = ${account.id}`,
  )
  return collection(`${accountUri(ctx, account.username)}/outbox`, query, n, noteContext, async (page) => {
    const rows = await ctx.db.many<{ id: string }>(sql`
      select s.id from statuses s join accounts a on a.id = s.account_id
      where s.account_id = ${account.id} and ${visibleTo(null)} and ${within(sql`s.id`, page)} ${ordered(sql`s.id`, page)}`)
    const wanted = newestFirst(rows, page).map(({ id }) => id)
    const [notes, boosts] = await Promise.all([loadNotes(ctx, wanted), loadBoosts(ctx, wanted)])
    const items = wanted.flatMap((id) => {
      const activity = renderPublication(ctx, notes.get(id), boosts.get(id))
      if (!activity) return []
      const { '@context': _, ...rest } = activity
      return [rest]
    })
    return { items, rowIds: wanted }
  })
}

/** GET /users/:username/followers and /following: ids of actors; the number alone when they are hidden. */
export async function network(
  ctx: Context,
  username: string,
  which: 'followers' | 'following',
  query: CollectionQuery,
): Promise<unknown> {
  const account = await localActor(ctx, username)
  const stats = await ctx.db.maybe<{ followers_count: number; following_count: number }>(
    sql`select followers_count, following_count from account_stats where account_id = ${account.id}`,
  )
  const total = (which === 'followers' ? stats?.followers_count : stats?.following_count) ?? 0
  const id = which === 'followers' ? ids.followersUri(ctx, account.username) : ids.followingUri(ctx, account.username)
  const read = async (page: Pagination): Promise<Items> => {
    const [mine, theirs] =
      which === 'followers'
        ? [sql`f.target_account_id`, sql`f.account_id`]
        : [sql`f.account_id`, sql`f.target_account_id`]
    const found = await ctx.db.many<{ id: string; uri: string | null; username: string }>(sql`
      select f.id, a.uri, a.username from follows f join accounts a on a.id = ${theirs}
      where ${mine} = ${account.id} and a.suspended_at is null and ${within(sql`f.id`, page)} ${ordered(sql`f.id`, page)}`)
    const rows = newestFirst(found, page)
    return { items: rows.map((row) => row.uri ?? accountUri(ctx, row.username)), rowIds: rows.map((row) => row.id) }
  }
  return collection(id, query, total, activityStreamsContext, account.hidden ? null : read)
}

/** GET /users/:username/collections/featured: the pinned posts, whole. */
export async function featured(ctx: Context, username: string): Promise<unknown> {
  const account = await localActor(ctx, username)
  const rows = await ctx.db.many<{ id: string }>(sql`
    select s.id from status_pins p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id
    where p.account_id = ${account.id} and ${visibleTo(null)} order by p.id desc`)
  const notes = await loadNotes(
    ctx,
    rows.map(({ id }) => id),
  )
  const items = rows.flatMap(({ id }) => {
    const note = notes.get(id)
    return note ? [renderNote(ctx, note)] : []
  })
  return {
    '@context': noteContext,
    id: ids.featuredUri(ctx, account.username),
    type: 'OrderedCollection',
    totalItems: items.length,
    orderedItems: items,
  }
}

/** GET /contexts/:id: what everybody may read of a thread that began here. */
export async function thread(ctx: Context, id: string, query: CollectionQuery): Promise<unknown> {
  const inside = sql`
    from statuses s join accounts a on a.id = s.account_id join conversations c on c.id = s.conversation_id
    where c.id = ${isId(id) ? id : null}::bigint and c.uri is null and s.reblog_of_id is null and ${visibleTo(null)}`
  const { n } = await ctx.db.one<{ n: number }>(sql`select count(*)::int as n ${inside}`)
  if (n === 0) throw new NotFound()
  return collection(conversationUri(ctx, id), query, n, activityStreamsContext, async (page) =>
    named(
      ctx,
      await ctx.db.many<Named>(
        sql`select s.id, s.uri, a.username ${inside} and ${within(sql`s.id`, page)} ${ordered(sql`s.id`, page)}`,
      ),
      page,
    ),
  )
}

type Named = { id: string; uri: string | null; username: string }

/** A page of posts, by their names. */
function named(ctx: Context, found: Named[], page: Pagination): Items {
  const rows = newestFirst(found, page)
  return {
    items: rows.map((row) => row.uri ?? statusUri(ctx, row.username, row.id)),
    rowIds: rows.map((row) => row.id),
  }
}

/** GET /users/:username/statuses/:id/{replies,likes,shares}. Likes and shares give only their number. */
export async function statusCollection(
  ctx: Context,
  viewer: MaybeViewer,
  username: string,
  id: string,
  which: string,
  query: CollectionQuery,
): Promise<unknown> {
  const account = await localActor(ctx, username)
  if (!isId(id) || !(await findVisible(ctx, viewer, account.id, id))) throw new NotFound()
  const uri = `${statusUri(ctx, account.username, id)}/${which}`
  const stats = await ctx.db.maybe<Record<string, number>>(
    sql`select replies_count as replies, favourites_count as likes, reblogs_count as shares from status_stats where status_id = ${id}`,
  )
  const total = stats?.[which] ?? 0
  if (which !== 'replies') return { '@context': activityStreamsContext, id: uri, type: 'Collection', totalItems: total }
  const read = async (page: Pagination): Promise<Items> => {
    const found = await ctx.db.many<Named>(sql`
      select s.id, s.uri, a.username from statuses s join accounts a on a.id = s.account_id
      where s.in_reply_to_id = ${id} and ${visibleTo(null)} and ${within(sql`s.id`, page)} ${ordered(sql`s.id`, page)}`)
    return named(ctx, found, page)
  }
  // The first page is embedded, because every reader wants it.
  const first = { ...(await readPage(uri, query, read)), type: 'CollectionPage' }
  if (query.page !== undefined) return { '@context': activityStreamsContext, ...first }
  return { '@context': activityStreamsContext, id: uri, type: 'Collection', totalItems: total, first }
}
