import type { Context } from '../../context.ts'
import { newestFirst, ordered, type Pagination, within } from '../../db/page.ts'
import type { PreviewCardProviders, Tags } from '../../db/schema.ts'
import { escapeLike, nothing, sql, type Sql } from '../../db/sql.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import { linkDecision } from './lists.ts'

/** The kinds of items that staff review, by the names of their tables, apart from `authors`: the accounts whose posts trend. */
export type Reviewed = 'tags' | 'links' | 'statuses' | 'authors' | 'publishers'

/** `label`: its name in the audit log. */
export type ReviewedItem = { id: string; label: string }

/**
 * Approves or rejects things for trends, until staff decides otherwise. Returns those that exist. A hashtag or publisher then
 * counts as reviewed.
 */
export function setTrendable(
  tx: Context,
  kind: Reviewed,
  ids: readonly string[],
  trendable: boolean,
): Promise<ReviewedItem[]> {
  const wanted = sql`id = any(${ids}::bigint[])`
  const statements: Record<Reviewed, Sql> = {
    tags: sql`update tags set trendable = ${trendable}, reviewed_at = now() where ${wanted} returning id, name as label`,
    links: sql`update preview_cards set trendable = ${trendable} where ${wanted} returning id, case when url = '' then link else url end as label`,
    statuses: sql`update statuses set trendable = ${trendable} where ${wanted} and reblog_of_id is null and visibility = 'public' returning id, coalesce(url, uri, '') as label`,
    authors: sql`update accounts set trendable = ${trendable} where ${wanted} returning id, '@' || username || coalesce('@' || domain, '') as label`,
    publishers: sql`update preview_card_providers set trendable = ${trendable}, reviewed_at = now() where ${wanted} returning id, domain as label`,
  }
  return tx.db.many<ReviewedItem>(statements[kind])
}

export type TagChanges = { display_name?: string; trendable?: boolean; usable?: boolean; listable?: boolean }

export const findTagById = (ctx: Context, id: string): Promise<Pick<Tags, 'id' | 'name' | 'usable'> | null> =>
  ctx.db.maybe(sql`select id, name, usable from tags where id = ${id}`)

/** Marks the hashtag as reviewed. */
export async function updateTagRow(tx: Context, id: string, changes: TagChanges): Promise<void> {
  const { display_name = null, trendable = null, usable = null, listable = null } = changes
  await tx.db.run(sql`
    update tags set display_name = coalesce(${display_name}::text, display_name), trendable = coalesce(${trendable}::boolean, trendable),
      usable = coalesce(${usable}::boolean, usable), listable = coalesce(${listable}::boolean, listable), reviewed_at = now()
    where id = ${id}`)
}

/** `reviewed`: only those that staff has reviewed, or only others. `q`: names that begin with it. */
export type TagFilter = { q?: string; reviewed?: boolean; blocked?: boolean }

/** Newest first. */
export async function listTags(ctx: Context, page: Pagination, filter: TagFilter = {}): Promise<string[]> {
  const q = normaliseTag(filter.q ?? '')
  const rows = await ctx.db.many<{ id: string }>(sql`
    select id from tags where ${within(sql`id`, page)} ${q === '' ? nothing : sql`and name like ${`${escapeLike(q)}%`}`}
      ${filter.reviewed === undefined ? nothing : filter.reviewed ? sql`and reviewed_at is not null` : sql`and reviewed_at is null`}
      ${filter.blocked ? sql`and not (usable and listable and trendable is not false)` : nothing}
    ${ordered(sql`id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}

export type ProviderRow = PreviewCardProviders
const providerColumns = sql`id, domain, trendable, reviewed_at, requested_review_at, created_at`

/** Newest first. */
export async function listProviders(
  ctx: Context,
  page: Pagination,
  { unreviewed = false }: { unreviewed?: boolean } = {},
): Promise<ProviderRow[]> {
  const rows = await ctx.db.many<ProviderRow>(sql`
    select ${providerColumns} from preview_card_providers
    where ${within(sql`id`, page)} ${unreviewed ? sql`and reviewed_at is null` : nothing} ${ordered(sql`id`, page)}`)
  return newestFirst(rows, page)
}

export const findProvider = (ctx: Context, id: string): Promise<ProviderRow | null> =>
  ctx.db.maybe<ProviderRow>(sql`select ${providerColumns} from preview_card_providers where id = ${id}`)

/** Only the best of each kind need a decision. */
const REVIEWED_RANK = 10

/** The names of the items that now wait for a review, each once. */
export type ReviewRequests = { tags: string[]; links: string[]; publishers: string[]; statuses: string[] }

/** Publishers of trending links become rows of their own. A second call returns only later ones. */
export async function requestReviews(tx: Context): Promise<ReviewRequests> {
  await tx.db.run(sql`
    insert into preview_card_providers (domain)
    select distinct c.hosts[1] from link_trends trend join preview_cards c on c.id = trend.card_id
    where trend.rank <= ${REVIEWED_RANK}::int and cardinality(c.hosts) > 0
      and not exists (select from preview_card_providers p where p.domain = any(c.hosts))
    on conflict (domain) do nothing`)
  const labels = async (statement: Sql): Promise<string[]> =>
    (await tx.db.many<{ label: string }>(statement)).map(({ label }) => label)
  const tags = await labels(sql`
    update tags t set requested_review_at = now() from tag_trends trend
    where trend.tag_id = t.id and trend.rank <= ${REVIEWED_RANK}::int and t.reviewed_at is null and t.requested_review_at is null
    returning '#' || t.display_name as label`)
  const publishers = await labels(sql`
    update preview_card_providers p set requested_review_at = now()
    where p.reviewed_at is null and p.requested_review_at is null returning p.domain as label`)
  const links = await labels(sql`
    update preview_cards c set requested_review_at = now() from link_trends trend
    where trend.card_id = c.id and trend.rank <= ${REVIEWED_RANK}::int and ${linkDecision} is null and c.requested_review_at is null
    returning c.url as label`)
  const statuses = await labels(sql`
    update status_trends trend set requested_review_at = now() from statuses s join accounts a on a.id = s.account_id
    where s.id = trend.status_id and trend.rank <= ${REVIEWED_RANK}::int and s.trendable is null and a.trendable is null
      and trend.requested_review_at is null
    returning '@' || a.username || coalesce('@' || a.domain, '') as label`)
  return { tags, links, publishers, statuses }
}

export type PendingReviews = { tags: number; links: number; statuses: number; publishers: number }

/** Trending items that wait for a decision. */
export const countPendingReviews = (ctx: Context): Promise<PendingReviews> =>
  ctx.db.one<PendingReviews>(sql`
    select
      (select count(*)::int from tag_trends trend join tags t on t.id = trend.tag_id where trend.rank is not null and t.reviewed_at is null) as tags,
      (select count(*)::int from link_trends trend join preview_cards c on c.id = trend.card_id where trend.rank is not null and ${linkDecision} is null) as links,
      (select count(*)::int from status_trends trend join statuses s on s.id = trend.status_id join accounts a on a.id = s.account_id
        where s.trendable is null and a.trendable is null) as statuses,
      (select count(*)::int from preview_card_providers where reviewed_at is null) as publishers`)

/** The authors of statuses, each once. */
export async function findAuthors(ctx: Context, statusIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(
    sql`select distinct account_id as id from statuses where id = any(${statusIds}::bigint[])`,
  )
  return rows.map(({ id }) => id)
}
