import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { NotFound } from '../lib/errors.ts'
import { DateTime, Id, nullable } from './schema.ts'
import { activeMutesOf, hasBlocked, hasBlockedDomain } from '../domain/relationships/hidden.ts'

/** https://docs.joinmastodon.org/entities/Relationship/ */
export const Relationship = Type.Object(
  {
    id: Id,
    following: Type.Boolean(),
    showing_reblogs: Type.Boolean(),
    notifying: Type.Boolean(),
    languages: nullable(Type.Array(Type.String())),
    followed_by: Type.Boolean(),
    blocking: Type.Boolean(),
    blocked_by: Type.Boolean(),
    muting: Type.Boolean(),
    muting_notifications: Type.Boolean(),
    muting_expires_at: nullable(DateTime),
    requested: Type.Boolean(),
    requested_by: Type.Boolean(),
    domain_blocking: Type.Boolean(),
    endorsed: Type.Boolean(),
    note: Type.String(),
  },
  { $id: 'Relationship' },
)
export type Relationship = Static<typeof Relationship>

type Row = Omit<Relationship, 'muting_expires_at'> & { muting_expires_at: Date | null }

/** How the viewer stands to accounts, in the order of `ids` and in one statement. Unknown ids are left out. */
export async function presentRelationships(
  ctx: Context,
  viewer: { accountId: string },
  ids: readonly string[],
): Promise<Relationship[]> {
  if (ids.length === 0) return []
  const me = viewer.accountId
  const rows = await ctx.db.many<Row>(sql`
    select a.id, f.id is not null as following, coalesce(f.show_reblogs, r.show_reblogs, false) as showing_reblogs,
      coalesce(f.notify, r.notify, false) as notifying, coalesce(f.languages, r.languages) as languages,
      exists (select from follows x where x.account_id = a.id and x.target_account_id = ${me}) as followed_by,
      ${hasBlocked(me, sql`a.id`)} as blocking,
      ${hasBlocked(sql`a.id`, me)} as blocked_by,
      m.id is not null as muting, coalesce(m.hide_notifications, false) as muting_notifications, m.expires_at as muting_expires_at,
      r.id is not null as requested,
      exists (select from follow_requests x where x.account_id = a.id and x.target_account_id = ${me}) as requested_by,
      ${hasBlockedDomain(me, sql`a.domain`)} as domain_blocking,
      exists (select from endorsements x where x.account_id = ${me} and x.target_account_id = a.id) as endorsed, coalesce(n.comment, '') as note
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position)
    join accounts a on a.id = wanted.id
    left join follows f on f.account_id = ${me} and f.target_account_id = a.id
    left join follow_requests r on r.account_id = ${me} and r.target_account_id = a.id
    left join (${activeMutesOf(me)}) m on m.target_account_id = a.id
    left join account_notes n on n.account_id = ${me} and n.target_account_id = a.id
    order by wanted.position`)
  return rows.map((row) => ({ ...row, muting_expires_at: row.muting_expires_at?.toISOString() ?? null }))
}

/** As presentRelationships, for one account. Throws NotFound. */
export async function presentRelationship(
  ctx: Context,
  viewer: { accountId: string },
  id: string,
): Promise<Relationship> {
  const [relationship] = await presentRelationships(ctx, viewer, [id])
  if (!relationship) throw new NotFound()
  return relationship
}
