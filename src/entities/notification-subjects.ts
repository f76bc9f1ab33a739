import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { SeveranceType } from '../domain/notifications/severance.ts'
import { detailOf, excerpt, titleOf } from '../domain/notifications/texts.ts'
import type { NotificationType } from '../domain/notifications/types.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { escapeHtml } from '../lib/html.ts'
import { type JsonText, toJson } from '../lib/json.ts'
import { htmlToText } from '../lib/sanitize.ts'
import type { Account } from './account.ts'
import { Collection, presentCollectionMap } from './collection.ts'
import { DateTime, Id, nullable } from './schema.ts'
import type { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/ */
const RelationshipSeveranceEvent = Type.Object(
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
async function presentSeverances(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, JsonText<RelationshipSeveranceEvent>>> {
  const rows = await ctx.db.many<Row>(sql`
    select id, type, purged, target_name, followers_count, following_count, created_at
    from relationship_severance_events where id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, toJson({ ...row, created_at: row.created_at.toISOString() })]))
}

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

/** https://docs.joinmastodon.org/entities/NotificationFallback/ : all HTML. */
export const NotificationFallback = Type.Object(
  { title: Type.String(), summary: nullable(Type.String()), details: nullable(Type.String()) },
  { $id: 'NotificationFallback' },
)
type NotificationFallback = Static<typeof NotificationFallback>

/** The longest summary, in characters. */
const LONGEST = 140

type FallbackParts = {
  type: NotificationType
  account: JsonText<Account>
  status?: JsonText<Status> | undefined
}

/** A notification in words, for clients that do not know its type; undefined for those that do, or do not say which they know. */
export function fallbackFor(
  supported: readonly string[] | undefined,
  parts: FallbackParts,
): NotificationFallback | undefined {
  if (!supported || supported.includes(parts.type)) return undefined
  const account = JSON.parse(parts.account.toString()) as Account
  const detail = detailOf(parts.type)
  return {
    title: escapeHtml(titleOf(parts.type, account.display_name || account.username)),
    summary: parts.status ? summaryOf(JSON.parse(parts.status.toString()) as Status) : null,
    details: detail === null ? null : `<p>${escapeHtml(detail)}</p>`,
  }
}

function summaryOf(status: Status): string | null {
  const text = excerpt(status.spoiler_text || htmlToText(status.content), LONGEST)
  return text === '' ? null : `<p>${escapeHtml(text)}</p>`
}
