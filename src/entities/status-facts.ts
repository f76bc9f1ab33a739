import type { Context } from '../context.ts'
import type { Statuses, StatusStats } from '../db/schema.ts'
import { name, nothing, sql, type Sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { accountFacts, type AccountFacts } from './account-presenter.ts'
import { cardFacts, type CardFacts } from './preview-card.ts'
import type { CollectionFacts } from './status-collections.ts'
import { extraFacts, type ExtraFacts, type Extras } from './status-extras.ts'
import { type FilterFacts, filterFlags } from './status-filters.ts'

/** Members that change without the row of the status or depend on the viewer. */
export type StatusFacts = Pick<Statuses, 'account_id' | 'reblog_of_id' | 'sensitive'> &
  Pick<StatusStats, 'replies_count' | 'reblogs_count' | 'favourites_count' | 'quotes_count'> & {
    status_id: string
    status_version: string
    /** False for statuses that are read only because another one boosts or quotes them. */
    wanted: boolean
    show_application: boolean
    favourited: boolean
    reblogged: boolean
    muted: boolean
    bookmarked: boolean
    pinned: boolean | null
  } & ExtraFacts &
  Extras &
  FilterFacts &
  CardFacts &
  CollectionFacts &
  AccountFacts

export const given = (ids: readonly string[]): Sql => sql`select unnest(${ids}::bigint[])`

/**
 * One statement, which includes the boosted statuses. Finds statuses by arrays of ids, so that PostgreSQL scans the index once,
 * not once per row.
 */
export async function readFacts(ctx: Context, viewer: MaybeViewer, selection: Sql): Promise<StatusFacts[]> {
  return ctx.db.many<StatusFacts>(sql`
    with page as materialized (select array(${selection}) as ids),
    shown as materialized (
      select ids || array(select o.reblog_of_id from statuses o where o.id = any(ids) and o.reblog_of_id is not null) as ids from page
    )
    select s.id as status_id, s.xmin::text as status_version, s.id = any((select ids from page)::bigint[]) as wanted, s.account_id, s.reblog_of_id,
      s.sensitive or a.sensitized_at is not null as sensitive,
      coalesce((u.settings ->> 'show_application')::boolean, true) as show_application,
      coalesce(sst.replies_count, 0) as replies_count, coalesce(sst.reblogs_count, 0) as reblogs_count,
      coalesce(sst.favourites_count, 0) as favourites_count, coalesce(sst.quotes_count, 0) as quotes_count,
      ${accountFacts}, ${extraFacts}, ${cardFacts}${viewer ? sql`, ${flags(sql`${viewer.accountId}`, markedAmong(sql`(select ids from shown)::bigint[]`))}` : nothing}
    from statuses s
    join accounts a on a.id = s.account_id
    left join users u on u.account_id = s.account_id
    left join account_stats ast on ast.account_id = s.account_id
    left join status_stats sst on sst.status_id = s.id
    where s.id = any((select ids from shown)::bigint[])`)
}

type Flags = Pick<StatusFacts, 'favourited' | 'reblogged' | 'muted' | 'bookmarked' | 'pinned'> & FilterFacts

export async function readFlags(
  ctx: Context,
  viewers: readonly string[],
  ids: readonly string[],
): Promise<(Flags & { viewer_id: string; status_id: string })[]> {
  return ctx.db.many(sql`
    select v.id as viewer_id, s.id as status_id, ${flags(sql`v.id`, marked)}
    from unnest(${viewers}::bigint[]) v (id) cross join statuses s where s.id = any(${ids}::bigint[])`)
}

/** Whether `me` has a row in `table` whose `column` is the status or the status that it boosts. */
type Marked = (me: Sql, table: string, column: string) => Sql

const marked: Marked = (me, table, column) => sql`exists (
  select from ${name(table)} x where x.${name(column)} = coalesce(s.reblog_of_id, s.id) and x.account_id = ${me})`

/** As `marked`, for one account and many known statuses: reads the table once. */
const markedAmong =
  (ids: Sql): Marked =>
  (me, table, column) =>
    sql`coalesce(s.reblog_of_id, s.id) in (
      select x.${name(column)} from ${name(table)} x where x.account_id = ${me} and x.${name(column)} = any(${ids}))`

function flags(me: Sql, has: Marked): Sql {
  return sql`
    ${has(me, 'favourites', 'status_id')} as favourited,
    ${has(me, 'statuses', 'reblog_of_id')} as reblogged,
    exists (select from conversation_mutes x where x.conversation_id = s.conversation_id and x.account_id = ${me}) as muted,
    ${has(me, 'bookmarks', 'status_id')} as bookmarked,
    case when s.account_id = ${me} and s.reblog_of_id is null and s.visibility <> 'direct'
      then exists (select from status_pins x where x.status_id = s.id and x.account_id = ${me}) end as pinned,
    ${filterFlags(me)}`
}
