import type { Markers } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Conflict } from '../../lib/errors.ts'

export const MARKED_TIMELINES = ['home', 'notifications'] as const
export type MarkedTimeline = (typeof MARKED_TIMELINES)[number]

/** `version` grows with every change. */
export type Marker = Pick<Markers, 'last_read_id' | 'version' | 'updated_at'> & { timeline: MarkedTimeline }

export async function listMarkers(ctx: Context, accountId: string, timelines: readonly string[]): Promise<Marker[]> {
  return ctx.db.many<Marker>(sql`
    select timeline, last_read_id, version, updated_at from markers where account_id = ${accountId} and timeline = any(${timelines}::text[]) order by timeline`)
}

/**
 * Sets all markers or none. Throws Conflict when another request moved one on between the read and the write, so that no client
 * moves back a position that it has not seen. Apps send positions several times at once.
 */
export async function setMarkers(
  ctx: Context,
  accountId: string,
  positions: ReadonlyMap<MarkedTimeline, string>,
): Promise<Marker[]> {
  const timelines = [...positions.keys()]
  return ctx.transaction(async (tx) => {
    const seen = new Map(
      (await listMarkers(tx, accountId, timelines)).map((marker) => [marker.timeline, marker.version]),
    )
    const saved = await tx.db.many<Marker>(sql`
      insert into markers as m (account_id, timeline, last_read_id, version)
      select ${accountId}, timeline, last_read_id, 1 from unnest(${timelines}::text[], ${[...positions.values()]}::bigint[]) as new (timeline, last_read_id) order by timeline
      on conflict (account_id, timeline) do update
        set last_read_id = excluded.last_read_id,
          version = m.version + (m.last_read_id <> excluded.last_read_id)::int,
          updated_at = case when m.last_read_id = excluded.last_read_id then m.updated_at else now() end
        where m.last_read_id <= excluded.last_read_id or m.version = (
          select version from unnest(${[...seen.keys()]}::text[], ${[...seen.values()]}::int[]) as seen (timeline, version) where seen.timeline = m.timeline)
      returning timeline, last_read_id, version, updated_at`)
    if (saved.length < timelines.length) throw new Conflict()
    return saved
  })
}
