import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { PreviewCardProviders, Tags } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getSettings } from '../../domain/server/settings.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { extendJson, type JsonText } from '../../lib/json.ts'
import { DateTime, Id, nullable } from '../schema.ts'
import { presentStatusMap } from '../status-presenter.ts'
import { Status } from '../status.ts'
import { presentTags, Tag } from '../tag.ts'
import { presentLinks, TrendsLink } from '../trends.ts'

const Review = { requires_review: Type.Boolean() }

/** https://docs.joinmastodon.org/entities/Admin_Tag/ */
export const AdminTag = Type.Object(
  {
    ...Tag.properties,
    trendable: Type.Boolean(),
    usable: Type.Boolean(),
    listable: Type.Boolean(),
    ...Review,
  },
  { $id: 'Admin_Tag' },
)
export type AdminTag = Static<typeof AdminTag>

export const AdminTrendsLink = Type.Object(
  { ...TrendsLink.properties, id: Id, ...Review },
  { $id: 'Admin_Trends_Link' },
)
export type AdminTrendsLink = Static<typeof AdminTrendsLink>

export const AdminTrendsStatus = Type.Object({ ...Status.properties, ...Review }, { $id: 'Admin_Trends_Status' })
export type AdminTrendsStatus = Static<typeof AdminTrendsStatus>

/** Keeps the order of `ids`. */
export async function presentAdminTags(ctx: Context, viewer: MaybeViewer, ids: readonly string[]): Promise<AdminTag[]> {
  if (ids.length === 0) return []
  const [tags, rows, settings] = await Promise.all([
    presentTags(ctx, viewer, ids),
    ctx.db.many<Pick<Tags, 'id' | 'trendable' | 'usable' | 'listable' | 'reviewed_at'>>(
      sql`select id, trendable, usable, listable, reviewed_at from tags where id = any(${ids}::bigint[])`,
    ),
    getSettings(ctx),
  ])
  const reviews = new Map(rows.map((row) => [row.id, row]))
  return tags.flatMap((tag) => {
    const review = reviews.get(tag.id)
    if (!review) return []
    const { usable, listable, reviewed_at } = review
    const trendable = review.trendable ?? settings.trendable_by_default
    return [{ ...tag, trendable, usable, listable, requires_review: reviewed_at === null }]
  })
}

/** Keeps the order of `ids`. */
export async function presentAdminLinks(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<JsonText<AdminTrendsLink>[]> {
  const [links, pending] = await Promise.all([
    presentLinks(ctx, viewer, ids),
    ctx.db.many<{ id: string }>(sql`
      select c.id from preview_cards c where c.id = any(${ids}::bigint[]) and c.trendable is null
        and not exists (select from preview_card_providers p where p.domain = any(c.hosts) and p.trendable is not null)`),
  ])
  const unreviewed = new Set(pending.map(({ id }) => id))
  return [...links].map(([id, link]) => extendJson(link, { id, requires_review: unreviewed.has(id) }))
}

/** Keeps the order of `ids`. The caller has checked that the viewer may see the statuses. */
export async function presentAdminStatuses(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<JsonText<AdminTrendsStatus>[]> {
  const [statuses, pending] = await Promise.all([
    presentStatusMap(ctx, viewer, ids),
    ctx.db.many<{ id: string }>(sql`
      select s.id from statuses s join accounts a on a.id = s.account_id
      where s.id = any(${ids}::bigint[]) and s.trendable is null and a.trendable is null`),
  ])
  const unreviewed = new Set(pending.map(({ id }) => id))
  return ids.flatMap((id) => {
    const status = statuses.get(id)
    return status ? [extendJson(status, { requires_review: unreviewed.has(id) })] : []
  })
}

/** Mastodon serialises its id as a number. */
export const AdminPreviewCardProvider = Type.Object(
  {
    id: Type.Integer(),
    domain: Type.String(),
    trendable: nullable(Type.Boolean()),
    reviewed_at: nullable(DateTime),
    requested_review_at: nullable(DateTime),
    ...Review,
  },
  { $id: 'Admin_PreviewCardProvider' },
)
export type AdminPreviewCardProvider = Static<typeof AdminPreviewCardProvider>

export const presentProvider = (row: Omit<PreviewCardProviders, 'created_at'>): AdminPreviewCardProvider => ({
  id: Number(row.id),
  domain: row.domain,
  trendable: row.trendable,
  reviewed_at: row.reviewed_at?.toISOString() ?? null,
  requested_review_at: row.requested_review_at?.toISOString() ?? null,
  requires_review: row.reviewed_at === null,
})
