import { type Context, perServer } from '../../context.ts'
import { CoherentCache, neverCurrent } from '../../db/coherent-cache.ts'
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

/** What all accounts did with a status; `by` is null when they are too many for memory. */
type StatusMarks = { by: ReadonlyMap<string, Marks> | null }

/** Rows of each kind, such as favourites, that a status may have for its marks to be in memory together. */
const MAX_MARKS = 32
const MAX_BYTES = 16 * 1024 * 1024

/** All conversations that a viewer mutes; null when there are too many for memory. */
export type MutedConversations = { ids: ReadonlySet<string> | null }

const MAX_CONVERSATIONS = 200

const cache = perServer((ctx) => ({
  statuses: new CoherentCache<StatusMarks>(ctx.changes, ['mark'], {
    maxSize: MAX_BYTES,
    sizeCalculation: ({ by }) => 200 + (by?.size ?? 0) * 200,
    keysOf: markedStatuses,
  }),
  /** The marks of single viewers on statuses that too many accounts have marked. */
  pairs: new CoherentCache<Marks>(ctx.changes, ['mark'], { max: 20_000, keysOf: pairs }),
  conversations: new CoherentCache<MutedConversations>(ctx.changes, ['mark'], { max: 5000, keysOf: mutingAccounts }),
}))

const keyOf = (viewerId: string, statusId: string): string => `${viewerId} ${statusId}`

const markedStatuses = (ids: readonly string[]): string[] => ids.filter((_, i) => i % 2 === 1)

function pairs(ids: readonly string[]): string[] {
  const keys: string[] = []
  for (let i = 0; i + 1 < ids.length; i += 2) keys.push(keyOf(ids[i] as string, ids[i + 1] as string))
  return keys
}

/** The accounts of changed conversation mutes, which have 0 in place of a status. */
const mutingAccounts = (ids: readonly string[]): string[] => ids.filter((_, i) => i % 2 === 0 && ids[i + 1] === '0')

export type MarksOf = {
  of(viewerId: string, statusId: string): Marks
  /** The cached value from which `of` reads the marks, for `isCurrent`. */
  sourceOf(viewerId: string, statusId: string): object
}

/**
 * Marks are made on originals, not on boosts: `ids` are those of originals. One statement, which serves all viewers, or none when
 * all are cached; another one for statuses that very many accounts have marked.
 */
export async function loadMarks(ctx: Context, viewerIds: readonly string[], ids: readonly string[]): Promise<MarksOf> {
  const statuses = await cache(ctx).statuses.load(ctx, viewerIds.length === 0 ? [] : ids, (missing) =>
    readMarks(ctx, missing),
  )
  const popular = ids.filter((id) => statuses.get(id)?.by === null)
  const keys = viewerIds.flatMap((viewerId) => popular.map((id) => keyOf(viewerId, id)))
  const byPair = await cache(ctx).pairs.load(ctx, keys, (missing) => readPairs(ctx, missing))
  return {
    of(viewerId, statusId) {
      const by = statuses.get(statusId)?.by
      return (by ? by.get(viewerId) : byPair.get(keyOf(viewerId, statusId))) ?? NONE
    },
    sourceOf: (viewerId, statusId) => {
      const marks = statuses.get(statusId)
      return (marks?.by ? marks : byPair.get(keyOf(viewerId, statusId))) ?? neverCurrent({})
    },
  }
}

type MarkRow = {
  status_id: string
  account_id: string
  kind: Exclude<keyof Marks, 'own_votes'> | 'vote'
  choice: number
}

async function readMarks(ctx: Context, ids: readonly string[]): Promise<[string, StatusMarks][]> {
  const some = sql`limit ${MAX_MARKS + 1}::int`
  const rows = await ctx.db.many<MarkRow>(sql`
    select w.id as status_id, m.account_id, m.kind, m.choice from unnest(${ids}::bigint[]) w (id) cross join lateral (
      (select x.account_id, 'favourited' as kind, 0 as choice from favourites x where x.status_id = w.id ${some})
      union all (select x.account_id, 'reblogged', 0 from statuses x where x.reblog_of_id = w.id ${some})
      union all (select x.account_id, 'bookmarked', 0 from bookmarks x where x.status_id = w.id ${some})
      union all (select x.account_id, 'pinned', 0 from status_pins x where x.status_id = w.id ${some})
      union all (select v.account_id, 'vote', v.choice from polls p join poll_votes v on v.poll_id = p.id where p.status_id = w.id ${some})
    ) m`)
  const byStatus = Map.groupBy(rows, ({ status_id }) => status_id)
  return ids.map((id) => [id, { by: marksOf(byStatus.get(id) ?? []) }])
}

const NO_MARKS: ReadonlyMap<string, Marks> = new Map()

/** By account; null when there are too many. */
function marksOf(rows: readonly MarkRow[]): StatusMarks['by'] {
  if (rows.length === 0) return NO_MARKS
  const counts = new Map<string, number>()
  const by = new Map<string, Marks>()
  for (const { account_id, kind, choice } of rows) {
    const count = (counts.get(kind) ?? 0) + 1
    if (count > MAX_MARKS) return null
    counts.set(kind, count)
    const known = by.get(account_id) ?? NONE
    const more =
      kind === 'vote' ? { own_votes: [...(known.own_votes ?? []), choice].toSorted((a, b) => a - b) } : { [kind]: true }
    by.set(account_id, { ...known, ...more })
  }
  return by
}

async function readPairs(ctx: Context, missing: readonly string[]): Promise<[string, Marks][]> {
  const wanted = missing.map((key) => key.split(' ') as [string, string])
  const [viewerIds, ids] = [wanted.map(([viewerId]) => viewerId), wanted.map(([, id]) => id)]
  const rows = await ctx.db.many<Marks & { viewer_id: string; status_id: string }>(sql`
    select w.viewer_id, w.status_id,
      exists (select from favourites x where x.status_id = w.status_id and x.account_id = w.viewer_id) as favourited,
      exists (select from statuses x where x.reblog_of_id = w.status_id and x.account_id = w.viewer_id) as reblogged,
      exists (select from bookmarks x where x.status_id = w.status_id and x.account_id = w.viewer_id) as bookmarked,
      exists (select from status_pins x where x.status_id = w.status_id and x.account_id = w.viewer_id) as pinned,
      (select array_agg(v.choice order by v.choice) from polls p join poll_votes v on v.poll_id = p.id and v.account_id = w.viewer_id
        where p.status_id = w.status_id) as own_votes
    from unnest(${viewerIds}::bigint[], ${ids}::bigint[]) w (viewer_id, status_id)`)
  return rows.map(({ viewer_id, status_id, ...row }) => [keyOf(viewer_id, status_id), row])
}

/**
 * Returns the conversations that a viewer mutes, at least those of `statuses`. One statement, or none when all are cached;
 * another one for each viewer who mutes very many.
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
