import Type, { type Static, type TObject } from 'typebox'
import type { Context } from '../context.ts'
import type { RelationshipSeveranceEvents } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import { isStaffWith } from '../domain/auth/staff.ts'
import type { NotificationType } from '../domain/notifications/types.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { type JsonMembers, type JsonText, toJson } from '../lib/json.ts'
import { AccountWarning, presentWarningMap } from './account-warning.ts'
import { Collection, presentCollectionMap } from './collection.ts'
import { presentReportMap, Report } from './report.ts'
import { DateTime, Id } from './schema.ts'

/** https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/ */
const RelationshipSeveranceEvent = Type.Object(
  {
    id: Id,
    type: Type.Union([
      Type.Literal('domain_block'),
      Type.Literal('user_domain_block'),
      Type.Literal('account_suspension'),
    ]),
    purged: Type.Boolean(),
    target_name: Type.String(),
    followers_count: Type.Integer(),
    following_count: Type.Integer(),
    created_at: DateTime,
  },
  { $id: 'RelationshipSeveranceEvent' },
)
type RelationshipSeveranceEvent = Static<typeof RelationshipSeveranceEvent>

type EventRow = Pick<
  RelationshipSeveranceEvents,
  'id' | 'type' | 'purged' | 'target_name' | 'followers_count' | 'following_count' | 'created_at'
>

/** The caller has checked that the events are the viewer's. */
async function presentSeverances(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, JsonText<RelationshipSeveranceEvent>>> {
  const rows = await ctx.db.many<EventRow>(sql`
    select id, type, purged, target_name, followers_count, following_count, created_at
    from relationship_severance_events where id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, toJson({ ...row, created_at: row.created_at.toISOString() })]))
}

/** The subject of a type of notifications, besides accounts and statuses. `member`: the member that holds it. */
type Subject = {
  member: keyof SubjectMembers
  present(ctx: Context, viewer: NonNullable<MaybeViewer>, ids: readonly string[]): Promise<Map<string, JsonText>>
}

export const subjectMembers = {
  event: Type.Optional(RelationshipSeveranceEvent),
  moderation_warning: Type.Optional(AccountWarning),
  collection: Type.Optional(Collection),
  /** For staff: of a notification about a report. */
  report: Type.Optional(Report),
}

export type SubjectMembers = JsonMembers<Static<TObject<typeof subjectMembers>>>

const collection: Subject = {
  member: 'collection',
  present: async (ctx, viewer, ids) =>
    new Map([...(await presentCollectionMap(ctx, viewer, ids))].map(([id, found]) => [id, toJson(found)])),
}

const SUBJECTS: Partial<Record<NotificationType, Subject>> = {
  severed_relationships: { member: 'event', present: (ctx, _viewer, ids) => presentSeverances(ctx, ids) },
  moderation_warning: { member: 'moderation_warning', present: (ctx, _viewer, ids) => presentWarningMap(ctx, ids) },
  'admin.report': {
    member: 'report',
    // Former staff do not see what they were notified about.
    present: async (ctx, { accountId }, ids) =>
      (await isStaffWith(ctx, accountId, 'manage_reports')) ? presentReportMap(ctx, ids) : new Map(),
  },
  added_to_collection: collection,
  collection_update: collection,
}

type SubjectRow = { type: NotificationType; subject_id: string | null }

/** One statement for each type that has subjects. The function returns null when the row's subject was deleted. */
export async function presentSubjects(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  rows: readonly SubjectRow[],
): Promise<(row: SubjectRow) => SubjectMembers | null> {
  const found = new Map<NotificationType, Map<string, JsonText>>()
  const types = Map.groupBy(rows, ({ type }) => type)
  await Promise.all(
    [...types].map(async ([type, some]) => {
      const ids = [...new Set(some.flatMap(({ subject_id }) => subject_id ?? []))]
      const subject = SUBJECTS[type]
      if (subject && ids.length > 0) found.set(type, await subject.present(ctx, viewer, ids))
    }),
  )
  return ({ type, subject_id }) => {
    const subject = SUBJECTS[type]
    if (!subject) return {}
    const json = subject_id === null ? undefined : found.get(type)?.get(subject_id)
    return json ? ({ [subject.member]: json } as SubjectMembers) : null
  }
}
