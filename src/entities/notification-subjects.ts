import Type from 'typebox'
import type { Context } from '../context.ts'
import type { NotificationType } from '../domain/notifications/types.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { toJson, type JsonText } from '../lib/json.ts'
import { Collection, presentCollectionMap } from './collection.ts'
import { presentSeverances, RelationshipSeveranceEvent } from './relationship-severance-event.ts'

/** What notifications of a type are about beside accounts and posts: under which name it stands in them, and its presenter. */
type Subject = {
  member: keyof typeof subjectMembers
  present(ctx: Context, viewer: NonNullable<MaybeViewer>, ids: readonly string[]): Promise<Map<string, JsonText>>
}

/** The members of notifications and groups that hold what they are about. */
export const subjectMembers = {
  event: Type.Optional(RelationshipSeveranceEvent),
  collection: Type.Optional(Collection),
}

const collection: Subject = {
  member: 'collection',
  present: async (ctx, viewer, ids) =>
    new Map([...(await presentCollectionMap(ctx, viewer, ids))].map(([id, found]) => [id, toJson(found)])),
}

const SUBJECTS: Partial<Record<NotificationType, Subject>> = {
  severed_relationships: { member: 'event', present: (ctx, _viewer, ids) => presentSeverances(ctx, ids) },
  added_to_collection: collection,
  collection_update: collection,
}

type About = { type: NotificationType; subject_id: string | null }

/**
 * What notifications are about, for each row as members of its entity; with a statement for each kind, not for each row.
 * Gives null for rows of which what they are about is gone.
 */
export async function presentSubjects(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  rows: readonly About[],
): Promise<(row: About) => Record<string, JsonText> | null> {
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
    return json ? ({ [subject.member]: json } as Record<string, JsonText>) : null
  }
}
