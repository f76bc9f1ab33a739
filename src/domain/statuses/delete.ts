import type { Context } from '../../context.ts'
import type { Accounts, HomeFeed, Statuses } from '../../db/schema.ts'
import { type Sql, nothing, sql } from '../../db/sql.ts'
import { statusUri } from '../server/addresses.ts'
import { isPublicOrUnlistedSql } from './visibility.ts'

/** A locked status or reblog, with the columns that the notice of its deletion needs. */
export type LockedStatus = Pick<
  Statuses,
  'id' | 'account_id' | 'uri' | 'visibility' | 'approval' | 'reblog_of_id' | 'local'
> &
  Pick<Accounts, 'username'> & {
    original_uri: string | null
    original_username: string | null
    original_author_uri: string | null
    tags: string[]
    /** Local accounts only. */
    mentioned: string[]
    media: boolean
  }

/** Locks in the order of ids. Leaves out missing statuses, and those of accounts other than `authorId`. */
export const lockStatuses = (tx: Context, ids: readonly string[], authorId?: string): Promise<LockedStatus[]> =>
  lock(tx, sql`s.id = any(${ids}::bigint[]) ${authorId === undefined ? nothing : sql`and s.account_id = ${authorId}`}`)

/** Locks only reblogs that are not themselves among `statuses`. */
export function lockReblogsOf(tx: Context, statuses: readonly LockedStatus[]): Promise<LockedStatus[]> {
  const ids = statuses.map(({ id }) => id)
  return lock(tx, sql`s.reblog_of_id = any(${ids}::bigint[]) and s.id <> all(${ids}::bigint[])`)
}

async function lock(tx: Context, condition: Sql): Promise<LockedStatus[]> {
  return tx.db.many<LockedStatus>(sql`
    select s.id, s.account_id, a.username, a.domain is null as local, s.uri, s.visibility, s.approval, s.reblog_of_id,
      o.uri as original_uri, oa.username as original_username, oa.uri as original_author_uri, cardinality(s.media_ids) > 0 as media,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
      array(select m.account_id from mentions m join accounts ma on ma.id = m.account_id where m.status_id = s.id and ma.domain is null) as mentioned
    from statuses s join accounts a on a.id = s.account_id
    left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
    where ${condition} order by s.id for update of s`)
}

/**
 * Removes locked statuses and their reblogs from counters and home feeds, and detaches their media. Leaves a tombstone for each
 * status, so that its address answers 410 and the status is not stored again. Returns the local accounts whose home feed had
 * it, by the id of the status. Call `deleteStatusRows` next. Without `tombstones`, a remote status may be fetched again.
 */
export async function unlinkStatuses(
  tx: Context,
  statuses: readonly LockedStatus[],
  reblogs: readonly LockedStatus[],
  { tombstones = true }: { tombstones?: boolean } = {},
): Promise<Map<string, string[]>> {
  const all = [...statuses, ...reblogs]
  const feedOwners = await removeFromHomeFeeds(tx, all)
  await undoCounts(tx, sql`id = any(${all.map(({ id }) => id)}::bigint[])`)
  await detachMedia(tx, statuses)
  if (tombstones) await insertTombstones(tx, statuses)
  return feedOwners
}

export async function deleteStatusRows(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(sql`delete from statuses where id = any(${ids}::bigint[])`)
}

/**
 * Hides a reply from all but its author, because the author of its parent did not approve it. Null when the reply is missing or
 * already in this state.
 */
export async function hideReply(
  tx: Context,
  id: string,
  state: 'rejected' | 'revoked',
): Promise<{ status: LockedStatus; feedOwners: string[] } | null> {
  const [status] = await lock(tx, sql`s.id = ${id} and s.approval is distinct from ${state}`)
  if (!status) return null
  const feedOwners = await removeFromHomeFeeds(tx, [status], { keepOwn: true })
  await tx.db.run(sql`
    with hidden as (update statuses set approval = ${state}, approval_uri = null where id = ${id} returning in_reply_to_id, visibility)
    update status_stats t set replies_count = greatest(t.replies_count - 1, 0) from hidden
    where t.status_id = hidden.in_reply_to_id and ${isPublicOrUnlistedSql(sql`hidden.visibility`)} and ${status.approval === null}`)
  return { status, feedOwners: feedOwners.get(id) ?? [] }
}

/** An advisory lock that deletions hold, shared, from before they look at home feeds until their commit. */
const DELETION_LOCK = 706_700_164

/** False when all deletions that have looked at home feeds are committed. */
export async function hasRunningDeletions(ctx: Context): Promise<boolean> {
  const { none } = await ctx.db.one<{ none: boolean }>(
    sql`select pg_try_advisory_xact_lock(${DELETION_LOCK}::bigint) as none`,
  )
  return !none
}

/**
 * From those of the author unless `keepOwn`, of followers, and of accounts that follow a hashtag of the status. Returns the
 * owners of the home feeds by the id of the status.
 */
async function removeFromHomeFeeds(
  tx: Context,
  statuses: readonly LockedStatus[],
  { keepOwn = false }: { keepOwn?: boolean } = {},
): Promise<Map<string, string[]>> {
  await tx.db.run(sql`select pg_advisory_xact_lock_shared(${DELETION_LOCK}::bigint)`)
  const rows = await tx.db.many<Pick<HomeFeed, 'account_id' | 'status_id'>>(sql`
    with gone (id, account_id) as (select * from unnest(${statuses.map(({ id }) => id)}::bigint[], ${statuses.map((s) => s.account_id)}::bigint[])),
      places as (
        select h.account_id, gone.id as status_id from gone join follows f on f.target_account_id = gone.account_id join home_feeds h on h.account_id = f.account_id
        union select h.account_id, gone.id from gone join status_tags st on st.status_id = gone.id
          join followed_tags ft on ft.tag_id = st.tag_id join home_feeds h on h.account_id = ft.account_id
        union select account_id, id from gone
      )
    delete from home_feed h using places where h.account_id = places.account_id and h.status_id = places.status_id
      and not (${keepOwn}::boolean and h.account_id = h.author_id)
    returning h.account_id, h.status_id`)
  const owners = [...Map.groupBy(rows, (row) => row.status_id)]
  return new Map(owners.map(([id, feeds]) => [id, feeds.map(({ account_id }) => account_id)]))
}

/**
 * Subtracts the statuses that `condition` selects, before they are deleted, from the counters of their authors and targets. The
 * caller has locked them; quotes are locked here, as their acceptance may just be ending.
 */
export async function undoCounts(tx: Context, condition: Sql): Promise<void> {
  await tx.db.run(sql`
    with gone as materialized (
      select id, account_id, visibility, in_reply_to_id, reblog_of_id, approval from statuses where ${condition}
    ), written as (
      select account_id, count(*)::int as n from gone where visibility <> 'direct' group by account_id
    ), authors as (
      update account_stats t set statuses_count = greatest(t.statuses_count - written.n, 0) from written where t.account_id = written.account_id
    ), quoting as materialized (
      select q.quoted_status_id, q.state from quotes q where q.status_id in (select id from gone) order by q.id for update
    ), counted as (
      select target, sum(replies)::int as replies, sum(reblogs)::int as reblogs, sum(quotes)::int as quotes from (
        select in_reply_to_id as target, 1 as replies, 0 as reblogs, 0 as quotes from gone where ${isPublicOrUnlistedSql(sql`visibility`)} and approval is null
        union all select reblog_of_id, 0, 1, 0 from gone where approval is null
        union all select quoted_status_id, 0, 0, 1 from quoting where state = 'accepted'
      ) each where target is not null group by target
    )
    update status_stats t set replies_count = greatest(t.replies_count - counted.replies, 0), reblogs_count = greatest(t.reblogs_count - counted.reblogs, 0),
      quotes_count = greatest(t.quotes_count - counted.quotes, 0)
    from counted where t.status_id = counted.target`)
}

/** Local uploads can be attached again for another day; the next clean-up deletes remote media. */
async function detachMedia(tx: Context, statuses: readonly LockedStatus[]): Promise<void> {
  const ids = statuses.map(({ id }) => id)
  const localIds = statuses.filter(({ local }) => local).map(({ id }) => id)
  await tx.db.run(sql`
    update media_attachments set status_id = null, created_at = case when status_id = any(${localIds}::bigint[]) then now() else to_timestamp(0) end
    where status_id = any(${ids}::bigint[])`)
}

async function insertTombstones(tx: Context, statuses: readonly LockedStatus[]): Promise<void> {
  const uris = statuses
    .filter(({ reblog_of_id }) => reblog_of_id === null)
    .map(({ uri, username, id }) => uri ?? statusUri(tx, username, id))
  if (uris.length > 0)
    await tx.db.run(
      sql`insert into tombstones (uri) select unnest(${uris}::text[]) on conflict (uri) do update set expires_at = null`,
    )
}
