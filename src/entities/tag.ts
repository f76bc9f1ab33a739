import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { Accounts, FeaturedTags } from '../db/schema.ts'
import type { Tags } from '../db/schema.ts'
import { plannedByValue, type Sql, sql } from '../db/sql.ts'
import { taggedUrl, tagUrl } from '../domain/server/addresses.ts'
import { isPublicOrUnlistedSql, type MaybeViewer } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { normaliseTag } from '../lib/text/tags.ts'
import { acctOf } from './account-profile.ts'
import { Id, nullable } from './schema.ts'
import { type DayOfUse, presentUseHistory, tagHistory, UseHistory } from './use-history.ts'

/** https://docs.joinmastodon.org/entities/Tag/ */
export const Tag = Type.Object(
  {
    id: Id,
    name: Type.String(),
    url: Type.String(),
    history: UseHistory,
    following: Type.Optional(Type.Boolean()),
    featuring: Type.Optional(Type.Boolean()),
  },
  { $id: 'Tag' },
)
export type Tag = Static<typeof Tag>

type Row = Pick<Tags, 'id' | 'name' | 'display_name'> & {
  history: DayOfUse[]
  following: boolean
  featuring: boolean
}

/** Keeps the order of `ids`. `history`: the use in public statuses of the last week. */
export async function presentTags(ctx: Context, viewer: MaybeViewer, ids: readonly string[]): Promise<Tag[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.many<Row>(sql`
    select t.id, t.name, t.display_name, ${tagHistory(sql`t.id`)} as history, ${flags(viewer)}
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) join tags t on t.id = wanted.id
    order by wanted.position`)
  return rows.map((row) => tagOf(ctx, viewer, row))
}

function flags(viewer: MaybeViewer): Sql {
  if (!viewer) return sql`false as following, false as featuring`
  const me = viewer.accountId
  return sql`exists (select from followed_tags ft where ft.account_id = ${me} and ft.tag_id = t.id) as following,
      exists (select from featured_tags ft where ft.account_id = ${me} and ft.tag_id = t.id) as featuring`
}

/** A hashtag that the viewer does not know to be used, in the spelling of the request: it has no id. */
export function presentUnusedTag(ctx: Context, viewer: MaybeViewer, typed: string): Tag {
  const name = normaliseTag(typed)
  return tagOf(ctx, viewer, { id: '0', name, display_name: typed, history: [], following: false, featuring: false })
}

function tagOf(ctx: Context, viewer: MaybeViewer, row: Row): Tag {
  return {
    id: row.id,
    name: row.display_name,
    url: tagUrl(ctx, row.name),
    history: presentUseHistory(row.history),
    ...(viewer ? { following: row.following, featuring: row.featuring } : {}),
  }
}

/** https://docs.joinmastodon.org/entities/FeaturedTag/ */
export const FeaturedTag = Type.Object(
  {
    id: Id,
    name: Type.String(),
    url: Type.String(),
    statuses_count: Type.String(),
    last_status_at: nullable(Type.String()),
  },
  { $id: 'FeaturedTag' },
)
export type FeaturedTag = Static<typeof FeaturedTag>

export const presentFeaturedTag = (ctx: Context, row: FeaturedTagRow): FeaturedTag => ({
  id: row.id,
  name: row.name,
  url: taggedUrl(ctx, acctOf(row), row.tag),
  statuses_count: String(row.statuses_count),
  last_status_at: row.last_status_at,
})

/** `name`: as the owner spells it. */
export type FeaturedTagRow = Pick<FeaturedTags, 'id' | 'name'> &
  Pick<Accounts, 'username' | 'domain'> & {
    tag: string
    /** Only public and unlisted statuses of the account. */
    statuses_count: number
    last_status_at: string | null
  }

/** Most used first. */
export const listFeaturedTags = (ctx: Context, accountId: string): Promise<FeaturedTagRow[]> =>
  readFeaturedTags(ctx, sql`ft.account_id = ${accountId} and a.suspended_at is null`)

/** Throws NotFound. */
export async function getFeaturedTag(ctx: Context, accountId: string, tagId: string): Promise<FeaturedTagRow> {
  const [tag] = await readFeaturedTags(ctx, sql`ft.account_id = ${accountId} and ft.tag_id = ${tagId}`)
  if (!tag) throw new NotFound()
  return tag
}

async function readFeaturedTags(ctx: Context, condition: Sql): Promise<FeaturedTagRow[]> {
  // Whether the account or the hashtag has fewer statuses differs from row to row, and so does the best plan.
  return ctx.db.many<FeaturedTagRow>(
    plannedByValue(sql`
    select ft.id, a.username, a.domain, ft.name, t.name as tag, coalesce(used.n, 0) as statuses_count, used.last::text as last_status_at
    from featured_tags ft join tags t on t.id = ft.tag_id join accounts a on a.id = ft.account_id
    left join lateral (
      select count(*)::int as n, (max(s.created_at) at time zone 'utc')::date as last
      from status_tags st join statuses s on s.id = st.status_id
      where st.tag_id = ft.tag_id and s.account_id = ft.account_id and ${isPublicOrUnlistedSql(sql`s.visibility`)} and s.approval is null
    ) used on true
    where ${condition} order by used.n desc, ft.id`),
  )
}
