import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { SeveranceType } from '../domain/notifications/severance.ts'
import { toJson, type JsonText } from '../lib/json.ts'
import { DateTime, Id } from './schema.ts'

/** https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/ */
export const RelationshipSeveranceEvent = Type.Object(
  {
    id: Id,
    type: Type.Union(
      (['domain_block', 'user_domain_block', 'account_suspension'] satisfies SeveranceType[]).map((type) =>
        Type.Literal(type),
      ),
    ),
    purged: Type.Boolean(),
    target_name: Type.String(),
    followers_count: Type.Integer(),
    following_count: Type.Integer(),
    created_at: DateTime,
  },
  { $id: 'RelationshipSeveranceEvent' },
)
type RelationshipSeveranceEvent = Static<typeof RelationshipSeveranceEvent>

type Row = Omit<RelationshipSeveranceEvent, 'created_at'> & { created_at: Date }

/** Presents events by id. Whose they are is for the caller to know. */
export async function presentSeverances(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, JsonText<RelationshipSeveranceEvent>>> {
  const rows = await ctx.db.many<Row>(sql`
    select id, type, purged, target_name, followers_count, following_count, created_at
    from relationship_severance_events where id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, toJson({ ...row, created_at: row.created_at.toISOString() })]))
}
