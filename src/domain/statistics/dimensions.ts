// The largest parts of something: https://docs.joinmastodon.org/methods/admin/dimensions/
import type { Context } from '../../context.ts'
import type { Peers } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { MASTODON_VERSION, VERSION } from '../../lib/version.ts'
import { memoized } from '../server/settings.ts'
import { taggedStatuses } from './measures.ts'
import { during, type Period } from './period.ts'

/** What is counted, as `key` and `value`; the largest come first. */
type Ranking = (period: Period, param: string) => Sql

/** Users who were active, posts, or accounts. An empty key stands for this server, or for the website as a source. */
const RANKINGS = {
  languages: (period) => sql`
    select u.locale as key, count(distinct u.id) as value from user_active_days d join users u on u.id = d.user_id
    where ${during(period).date(sql`d.day`)} group by u.locale`,
  sources: (period) => sql`
    select coalesce(o.name, '') as key, count(*) as value from users u left join oauth_apps o on o.id = u.created_by_app_id
    where ${during(period).instant(sql`u.created_at`)} group by 1`,
  servers: (period) => sql`
    select coalesce(a.domain, '') as key, sum(written.n) as value
    from (select s.account_id, count(*) as n from statuses s where ${during(period).id(sql`s.id`)} group by s.account_id) written
    join accounts a on a.id = written.account_id group by 1`,
  tag_servers: (period, tagId) => sql`
    select coalesce(a.domain, '') as key, count(*) as value from ${taggedStatuses(tagId, period)} group by 1`,
  tag_languages: (period, tagId) => sql`
    select coalesce(s.language, 'und') as key, count(*) as value from ${taggedStatuses(tagId, period)} group by 1`,
  instance_accounts: (_, domain) => sql`
    select a.username as key, coalesce(ast.followers_count, 0) as value from accounts a left join account_stats ast on ast.account_id = a.id
    where a.domain = ${domain.toLowerCase()}`,
  instance_languages: (period, domain) => sql`
    select coalesce(s.language, 'und') as key, count(*) as value from statuses s join accounts a on a.id = s.account_id
    where a.domain = ${domain.toLowerCase()} and ${during(period).id(sql`s.id`)} and s.reblog_of_id is null group by 1`,
} as const satisfies Record<string, Ranking>

export const TAG_DIMENSIONS = ['tag_servers', 'tag_languages'] as const
export const INSTANCE_DIMENSIONS = ['instance_accounts', 'instance_languages'] as const

type RankedKey = keyof typeof RANKINGS
export type DimensionKey = RankedKey | 'space_usage' | 'software_versions'
export const DIMENSIONS: readonly DimensionKey[] = [
  ...(Object.keys(RANKINGS) as RankedKey[]),
  'space_usage',
  'software_versions',
]

export type DimensionRow = { key: string; value: string; unit?: 'bytes' }

/** `param`: the id of the hashtag or the domain of the server, for dimensions that need one. */
export async function readDimension(
  ctx: Context,
  key: DimensionKey,
  { period, param = '', limit }: { period: Period; param?: string; limit: number },
): Promise<DimensionRow[]> {
  if (key === 'software_versions') return readVersions(ctx)
  if (key === 'space_usage') return readSpace(ctx)
  return ctx.db.many<DimensionRow>(sql`
    select key, value::bigint::text as value from (${RANKINGS[key](period, param)}) counted
    order by counted.value desc, key limit ${limit}::int`)
}

async function readVersions(ctx: Context): Promise<DimensionRow[]> {
  const { version } = await ctx.db.one<{ version: string }>(sql`select current_setting('server_version') as version`)
  return [
    { key: 'rookery', value: VERSION },
    { key: 'mastodon', value: MASTODON_VERSION },
    { key: 'node', value: process.versions.node },
    { key: 'postgresql', value: version },
  ]
}

const SPACE_CACHE_SECONDS = 300

/** The space of local media: of the originals without previews. Cached, as it adds up the sizes of all files. */
const readSpace = memoized(SPACE_CACHE_SECONDS, async (ctx): Promise<DimensionRow[]> => {
  const sizes = await ctx.db.one<Record<'postgresql' | 'media' | 'media_cache', string>>(sql`
    select pg_database_size(current_database())::text as postgresql,
      (select coalesce(sum(file_size), 0)::text from media_attachments where file_key not like 'cache/%') as media,
      (select coalesce(sum(bytes), 0)::text from media_cache) as media_cache`)
  return Object.entries(sizes).map(([key, value]) => ({ key, value, unit: 'bytes' }))
})

export type FailingPeers = { count: number; peers: Pick<Peers, 'domain' | 'failing_since' | 'retry_at'>[] }

const SHOWN_PEERS = 10

/** Servers to which deliveries fail; those that failed first are listed first. */
export async function readFailingPeers(ctx: Context): Promise<FailingPeers> {
  const rows = await ctx.db.many<FailingPeers['peers'][number] & { count: number }>(sql`
    select domain, failing_since, retry_at, count(*) over ()::int as count from peers
    where failing_since is not null order by failing_since, domain limit ${SHOWN_PEERS}::int`)
  return {
    count: rows[0]?.count ?? 0,
    peers: rows.map(({ domain, failing_since, retry_at }) => ({ domain, failing_since, retry_at })),
  }
}
