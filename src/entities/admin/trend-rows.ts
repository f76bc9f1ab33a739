// Trends with the facts that staff see when they review them.
import type { Context } from '../../context.ts'
import type { LinkTrends, PreviewCards, Tags } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { providerOf } from '../../domain/trends/lists.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { readStatusEntities } from '../status-presenter.ts'
import type { Status } from '../status.ts'
import { type DayOfUse, linkHistory, presentUseHistory, tagHistory } from '../use-history.ts'

type Ranked = Pick<LinkTrends, 'rank' | 'score' | 'language'> & {
  /** Accounts on each of the last seven days, today last. */
  accounts: number[]
}

type TagTrendRow = Pick<Tags, 'id' | 'name' | 'display_name' | 'trendable' | 'usable' | 'listable' | 'reviewed_at'> &
  Ranked

type LinkTrendRow = Pick<PreviewCards, 'id' | 'link' | 'url' | 'title' | 'provider_name' | 'trendable'> &
  Ranked & { domain: string | null; by_publisher: boolean | null }

/** The last seven days, oldest first. */
const accountsOf = (history: readonly DayOfUse[]): number[] =>
  presentUseHistory(history)
    .map(({ accounts }) => Number(accounts))
    .toReversed()

/** Keeps the order of `ids`. Hashtags that do not trend have neither rank nor score. */
export async function readTagTrends(ctx: Context, ids: readonly string[]): Promise<TagTrendRow[]> {
  const rows = await ctx.db.many<TagTrendRow & { history: DayOfUse[] }>(sql`
    select t.id, t.name, t.display_name, t.trendable, t.usable, t.listable, t.reviewed_at, trend.rank, coalesce(trend.score, 0) as score,
      trend.language, ${tagHistory(sql`t.id`)} as history
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) join tags t on t.id = wanted.id
    left join tag_trends trend on trend.tag_id = t.id order by wanted.position`)
  return rows.map(({ history, ...row }) => ({ ...row, accounts: accountsOf(history) }))
}

/** Keeps the order of `ids`. */
export async function readLinkTrends(ctx: Context, ids: readonly string[]): Promise<LinkTrendRow[]> {
  const rows = await ctx.db.many<LinkTrendRow & { history: DayOfUse[] }>(sql`
    select c.id, c.link, c.url, c.title, c.provider_name, c.trendable, c.hosts[1] as domain, (${providerOf(sql`c.hosts`)}) as by_publisher,
      trend.rank, trend.score, trend.language, ${linkHistory(sql`c.id`)} as history
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) join preview_cards c on c.id = wanted.id
    join link_trends trend on trend.card_id = c.id order by wanted.position`)
  return rows.map(({ history, ...row }) => ({ ...row, accounts: accountsOf(history) }))
}

type StatusTrendRow = {
  status: Status
  rank: number
  trendable: boolean | null
  /** The decision on all posts of the author. */
  by_author: boolean | null
}

/** Keeps the order of `ids`. */
export async function readStatusTrends(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<StatusTrendRow[]> {
  const [statuses, rows] = await Promise.all([
    readStatusEntities(ctx, viewer, ids),
    ctx.db.many<Omit<StatusTrendRow, 'status'> & { id: string }>(sql`
      select s.id, trend.rank, s.trendable, a.trendable as by_author
      from status_trends trend join statuses s on s.id = trend.status_id join accounts a on a.id = s.account_id
      where s.id = any(${ids}::bigint[])`),
  ])
  const ranked = new Map(rows.map(({ id, ...row }) => [id, row]))
  return statuses.flatMap((status) => {
    const row = ranked.get(status.id)
    return row ? [{ status, ...row }] : []
  })
}
