import { type Context, perServer } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { hasBlocked, hasBlockedDomain, hidesNotifications, mutedUntil } from './hidden.ts'

/** How an account, the viewer, relates to another one. */
export type RelationshipFacts = {
  follows: boolean
  followed_by: boolean
  blocks: boolean
  blocked_by: boolean
  blocks_domain: boolean
  /** The viewer has the account in a list whose members are left out of the home timeline. */
  in_exclusive_list: boolean
  /** While the mute lasts. */
  mutes_notifications: boolean
  /** Unix time in ms: 0 when the viewer does not mute the account, Infinity for a mute without end. */
  muted_until: number
}

/** By account. */
export type Relationships = ReadonlyMap<string, RelationshipFacts>

/** The relationship of anonymous viewers with every account. */
export const NO_RELATIONSHIP: RelationshipFacts = {
  follows: false,
  followed_by: false,
  blocks: false,
  blocked_by: false,
  blocks_domain: false,
  in_exclusive_list: false,
  mutes_notifications: false,
  muted_until: 0,
}

const MAX_VIEWERS = 1000
const MAX_RELATIONSHIPS = 600

/** The relationships of a viewer are dropped together. Until then they grow with what the viewer reads. */
const cache = perServer(
  (ctx) => new CoherentCache<Map<string, RelationshipFacts>>(ctx.changes, ['relation'], { max: MAX_VIEWERS }),
)

/** Has every existing account of `ids`. */
export async function loadRelationships(ctx: Context, viewerId: string, ids: Iterable<string>): Promise<Relationships> {
  return (await loadRelationshipsOf(ctx, [viewerId], ids)).get(viewerId) as Relationships
}

/** By viewer. One statement, or none when all are cached. */
export async function loadRelationshipsOf(
  ctx: Context,
  viewerIds: readonly string[],
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Relationships>> {
  const viewers = await cache(ctx).load(ctx, viewerIds, async (missing) => missing.map((id) => [id, new Map()]))
  const wanted = [...new Set(ids)]
  const incomplete = [...viewers].filter(([, known]) => wanted.some((id) => !known.has(id)))
  if (incomplete.length === 0) return viewers
  const missing = wanted.filter((id) => incomplete.some(([, known]) => !known.has(id)))
  const viewersToRead = incomplete.map(([viewerId]) => viewerId)
  for (const { viewer_id, id, ...relationship } of await readRelationships(ctx, viewersToRead, missing)) {
    const known = viewers.get(viewer_id) as Map<string, RelationshipFacts>
    known.set(id, shared(relationship))
    // Those who read it now go on with this map.
    if (known.size > MAX_RELATIONSHIPS) cache(ctx).delete(viewer_id)
  }
  return viewers
}

type Row = RelationshipFacts & { viewer_id: string; id: string }

/**
 * PostgreSQL expects a hundred pairs of accounts, for which it would read a table of some thousand follows into memory, each
 * time. A subquery of its own is planned for one.
 */
const byIndex = (exists: Sql): Sql => sql`(select ${exists})`

function readRelationships(ctx: Context, viewerIds: readonly string[], ids: readonly string[]): Promise<Row[]> {
  const [me, id] = [sql`v.id`, sql`a.id`]
  return ctx.db.many<Row>(sql`
    select v.id as viewer_id, a.id,
      ${byIndex(sql`exists (select from follows rf where rf.account_id = v.id and rf.target_account_id = a.id)`)} as follows,
      ${byIndex(sql`exists (select from follows rf where rf.account_id = a.id and rf.target_account_id = v.id)`)} as followed_by,
      ${byIndex(hasBlocked(me, id))} as blocks, ${byIndex(hasBlocked(id, me))} as blocked_by,
      ${byIndex(hasBlockedDomain(me, sql`a.domain`))} as blocks_domain,
      ${byIndex(sql`exists (select from list_accounts la where la.owner_id = v.id and la.account_id = a.id and la.exclusive)`)} as in_exclusive_list,
      coalesce(${hidesNotifications(me, id)}, false) as mutes_notifications, ${mutedUntil(me, id)} as muted_until
    from unnest(${viewerIds}::bigint[]) v (id) cross join accounts a where a.id = any(${ids}::bigint[])`)
}

const relationships = new Map<string, RelationshipFacts>()

/** Most relationships are alike, and equal ones share one object. Those with an end of a mute do not. */
function shared(relationship: RelationshipFacts): RelationshipFacts {
  if (relationship.muted_until !== 0 && relationship.muted_until !== Infinity) return relationship
  const key = JSON.stringify(Object.values(relationship))
  const known = relationships.get(key)
  if (known) return known
  relationships.set(key, relationship)
  return relationship
}
