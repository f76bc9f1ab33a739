import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { may, type Viewer } from '../auth/viewer.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { getSettings } from '../server/settings.ts'
import { visibleTo } from '../statuses/visibility.ts'

export type TrendPage = OffsetPage & {
  /** For staff who review trends: also items that are not reviewed or were rejected, or only items in one of these states. */
  unreviewed?: boolean
  state?: ReviewState | null
}

export type ReviewState = 'pending' | 'approved' | 'rejected'

/** `decision`: a boolean, null while there is none. */
const isIn = (state: ReviewState | null | undefined, decision: Sql): Sql =>
  state
    ? sql`and (${decision}) is not distinct from ${state === 'pending' ? null : state === 'approved'}::boolean`
    : nothing

/** Whether the viewer reviews trends. */
export const mayReviewTrends = (viewer: Viewer | null): boolean => may(viewer, 'manage_taxonomies')

/** Best first, those in the viewer's languages before others. Empty while the setting `trends` is off. */
export async function findTrendingTags(ctx: Context, viewer: Viewer | null, page: TrendPage): Promise<string[]> {
  return find(
    ctx,
    viewer,
    page,
    (allowed) => sql`
    select t.id from tag_trends trend join tags t on t.id = trend.tag_id
    where trend.rank is not null ${page.unreviewed ? isIn(page.state, sql`t.trendable`) : sql`and t.usable and t.listable and coalesce(t.trendable, ${allowed})`}`,
  )
}

/** Ids of preview cards. */
export async function findTrendingLinks(ctx: Context, viewer: Viewer | null, page: TrendPage): Promise<string[]> {
  return find(
    ctx,
    viewer,
    page,
    (allowed) => sql`
    select c.id from link_trends trend join preview_cards c on c.id = trend.card_id
    where trend.rank is not null and ${isPresentable}
      ${page.unreviewed ? isIn(page.state, linkDecision) : sql`and coalesce(${linkDecision}, ${allowed})`}`,
  )
}

export async function findTrendingStatuses(ctx: Context, viewer: Viewer | null, page: TrendPage): Promise<string[]> {
  return find(
    ctx,
    viewer,
    page,
    (allowed) => sql`
    select s.id from status_trends trend join statuses s on s.id = trend.status_id join accounts a on a.id = s.account_id
    where ${isStillOpen} ${
      page.unreviewed
        ? sql`and a.suspended_at is null ${isIn(page.state, sql`coalesce(s.trendable, a.trendable)`)}`
        : sql`
      and coalesce(s.trendable, a.trendable, ${allowed}) and ${visibleTo(viewer)} and ${notHiddenFrom(viewer)}`
    }`,
  )
}

/** A condition on a preview card `c`. */
const isPresentable: Sql = sql`c.type = 'link' and c.title <> '' and c.fetched_at is not null`

/** A condition on a status `s` and its author `a`, which may have changed since the scores were computed. */
const isStillOpen: Sql = sql`s.visibility = 'public' and not s.sensitive and s.spoiler_text = '' and a.discoverable and a.silenced_at is null and a.sensitized_at is null`

/** The decision on the publisher of a page: the one for its own domain, or else for the closest parent domain. */
export const providerOf = (hosts: Sql): Sql => sql`
  select p.trendable from preview_card_providers p where p.domain = any(${hosts}) and p.trendable is not null
  order by length(p.domain) desc limit 1`

/** The decision on the link of a preview card `c`, or else on its publisher; null without one. */
export const linkDecision: Sql = sql`coalesce(c.trendable, (${providerOf(sql`c.hosts`)}))`

async function find(
  ctx: Context,
  viewer: Viewer | null,
  { limit, offset, unreviewed = false }: TrendPage,
  select: (allowed: Sql) => Sql,
): Promise<string[]> {
  const { trends, trendable_by_default } = await getSettings(ctx)
  if (!trends && !unreviewed) return []
  const languages = viewer ? languagesOf(viewer) : []
  const rows = await ctx.db.many<{ id: string }>(sql`
    ${select(trendable_by_default ? sql`true` : sql`false`)}
    order by ${languages.length > 0 ? sql`coalesce(split_part(trend.language, '-', 1) = any(${languages}::text[]), false) desc,` : nothing} trend.rank
    limit ${limit}::int offset ${offset}::int`)
  return rows.map(({ id }) => id)
}

/** The languages that the viewer chose to read, or else those that they write and use the interface in. */
function languagesOf({ settings, locale }: Viewer): string[] {
  const chosen = settings.chosen_languages ?? []
  const languages = chosen.length > 0 ? chosen : [settings.language ?? locale, locale]
  return [...new Set(languages.map((language) => language.split('-', 1)[0] ?? language))]
}
