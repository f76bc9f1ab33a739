import Type, { type Static } from 'typebox'
import { listMarkers, MARKED_TIMELINES, setMarkers, type Marker as MarkerRow } from '../domain/timelines/markers.ts'
import { DateTime, Id as IdString } from '../entities/schema.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'

const Marker = Type.Object({ last_read_id: IdString, version: Type.Integer(), updated_at: DateTime }, { $id: 'Marker' })
const Markers = Type.Object({ home: Type.Optional(Marker), notifications: Type.Optional(Marker) })

function present(rows: readonly MarkerRow[]): Static<typeof Markers> {
  return Object.fromEntries(
    rows.map(({ timeline, last_read_id, version, updated_at }) => [
      timeline,
      { last_read_id, version, updated_at: updated_at.toISOString() },
    ]),
  )
}

export const getMarkers = route({
  summary: 'Read positions in timelines; timelines without one are left out',
  scope: 'read:statuses',
  params: { timeline: Type.Optional(Type.Array(Type.String())) },
  returns: Markers,
  handle: async ({ ctx, viewer, params }) => present(await listMarkers(ctx, viewer.accountId, params.timeline ?? [])),
})

const Position = Type.Optional(Type.Object({ last_read_id: IdParam }))

export const saveMarkers = route({
  summary: 'Save read positions in timelines',
  scope: 'write:statuses',
  params: { home: Position, notifications: Position },
  returns: Markers,
  async handle({ ctx, viewer, params }) {
    const positions = new Map(
      MARKED_TIMELINES.flatMap((timeline) =>
        params[timeline] ? [[timeline, params[timeline].last_read_id] as const] : [],
      ),
    )
    return present(positions.size === 0 ? [] : await setMarkers(ctx, viewer.accountId, positions))
  },
})
