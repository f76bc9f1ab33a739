import { type Context, perServer } from '../../context.ts'
import { CoherentCache, neverCurrent } from '../../db/changes.ts'
import { sql } from '../../db/sql.ts'
import type { StatusFacts } from './status-facts.ts'

/** What an account did with a status. */
export type Marks = {
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  pinned: boolean
  /** Indexes of the poll's options; null without votes. */
  own_votes: readonly number[] | null
}

const NONE: Marks = { favourited: false, reblogged: false, bookmarked: false, pinned: false, own_votes: null }

/** All conversations that a viewer mutes; null when there are too many for memory. */
export type MutedConversations = { ids: ReadonlySet<string> | null }

const MAX_CONVERSATIONS = 200

const cache = perServer((ctx) => ({
  marks: new CoherentCache<Marks>(ctx.changes, ['mark'], { max: 50_000, keysOf: pairs }),
  conversations: new CoherentCache<MutedConversations>(ctx.changes, ['mark'], { max: 5000, keysOf: mutingAccounts }),
}))

const keyOf = (viewerId: string, statusId: string): string => `${viewerId} ${statusId}`

function pairs(ids: readonly string[]): string[] {
  const keys: string[] = []
  for (let i = 0; i + 1 < ids.length; i += 2) keys.push(keyOf(ids[i] as string, ids[i + 1] as string))
  return keys
}

/** Of conversation mutes: their status is 0. */
const mutingAccounts = (ids: readonly string[]): string[] => ids.filter((_, i) => i % 2 === 0 && ids[i + 1] === '0')

/** Returns the marks of a viewer on a status. */
export type MarksOf = (viewerId: string, statusId: string) => Marks

/** Marks are made on originals, not on boosts: `ids` are those of originals. One statement, or none when all are cached. */
export async function loadMarks(ctx: Context, viewerIds: readonly string[], ids: readonly string[]): Promise<MarksOf> {
  const keys = viewerIds.flatMap((viewerId) => ids.map((id) => keyOf(viewerId, id)))
  const marks = await cache(ctx).marks.load(ctx, keys, async (missing) => {
    const wanted = missing.map((key) => key.split(' ') as [string, string])
    const rows = await readMarks(
      ctx,
      wanted.map(([viewerId]) => viewerId),
      wanted.map(([, id]) => id),
    )
    return rows.map(({ viewer_id, status_id, ...row }) => [keyOf(viewer_id, status_id), row])
  })
  return (viewerId, statusId) => marks.get(keyOf(viewerId, statusId)) ?? NONE
}

type Row = Marks & { viewer_id: string; status_id: string }

function readMarks(ctx: Context, viewerIds: readonly string[], ids: readonly string[]): Promise<Row[]> {
  return ctx.db.many<Row>(sql`
    select w.viewer_id, w.status_id,
      exists (select from favourites x where x.status_id = w.status_id and x.account_id = w.viewer_id) as favourited,
      exists (select from statuses x where x.reblog_of_id = w.status_id and x.account_id = w.viewer_id) as reblogged,
      exists (select from bookmarks x where x.status_id = w.status_id and x.account_id = w.viewer_id) as bookmarked,
      exists (select from status_pins x where x.status_id = w.status_id and x.account_id = w.viewer_id) as pinned,
      (select array_agg(v.choice order by v.choice) from polls p join poll_votes v on v.poll_id = p.id and v.account_id = w.viewer_id
        where p.status_id = w.status_id) as own_votes
    from unnest(${viewerIds}::bigint[], ${ids}::bigint[]) w (viewer_id, status_id)`)
}

/**
 * Returns the conversations that a viewer mutes, at least those of `statuses`. One statement, or none when all are cached. Another one for each viewer who mutes very
 * many.
 */
export async function loadConversationMutes(
  ctx: Context,
  viewerIds: readonly string[],
  statuses: readonly Pick<StatusFacts, 'conversation_id'>[],
): Promise<(viewerId: string) => MutedConversations> {
  const viewers = await cache(ctx).conversations.load(ctx, viewerIds, async (missing) => {
    const rows = await ctx.db.many<{ id: string; ids: string[] }>(sql`
      select v.id, array(select m.conversation_id from conversation_mutes m where m.account_id = v.id limit ${MAX_CONVERSATIONS + 1}::int) as ids
      from unnest(${missing}::bigint[]) v (id)`)
    return rows.map(({ id, ids }) => [id, { ids: ids.length > MAX_CONVERSATIONS ? null : new Set(ids) }])
  })
  for (const [viewerId, { ids }] of viewers) {
    if (ids) continue
    const wanted = statuses.map(({ conversation_id }) => conversation_id)
    const rows = await ctx.db.many<{ id: string }>(sql`
      select conversation_id as id from conversation_mutes where account_id = ${viewerId} and conversation_id = any(${wanted}::bigint[])`)
    viewers.set(viewerId, neverCurrent({ ids: new Set(rows.map(({ id }) => id)) }))
  }
  return (viewerId) => viewers.get(viewerId) as MutedConversations
}
