import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { Accounts, Collections, Statuses } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { isCollectionShown } from '../collections/visible.ts'
import { findVisibleStatuses, isPublicOrUnlistedSql } from '../statuses/visibility.ts'

/** Throws NotFound unless all of these statuses are the target's, and the reporter may see them. */
export async function checkReportedStatuses(
  ctx: Context,
  reporterId: string,
  targetId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const visible = await findVisibleStatuses(ctx, { accountId: reporterId }, ids)
  if (visible.filter(({ account_id }) => account_id === targetId).length < ids.length) throw new NotFound()
}

/** As checkReportedStatuses, for collections. */
export async function checkReportedCollections(
  ctx: Context,
  reporterId: string,
  targetId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await ctx.db.many(sql`
    select from collections c join accounts a on a.id = c.account_id
    where c.id = any(${ids}::bigint[]) and a.id = ${targetId} and ${isCollectionShown({ accountId: reporterId })}`)
  if (rows.length < ids.length) throw new NotFound()
}

type Reported = { accountId: string; statusIds: string[]; collectionIds: string[] }

/**
 * The accounts that a remote server may report here, with their local collections and their statuses that its users may have
 * received: local accounts, and remote ones whose statuses reply to a local account. Suspended accounts are left out. Unknown ids
 * are ignored, as a post may already be deleted.
 */
export async function findReportedByServer(
  ctx: Context,
  domain: string,
  named: { accountIds: readonly string[]; statusIds: readonly string[]; collectionIds: readonly string[] },
): Promise<Reported[]> {
  type Row = Pick<Accounts, 'id'> & { status_ids: Statuses['id'][]; collection_ids: Collections['id'][] }
  const rows = await ctx.db.many<Row>(sql`
    with reported as (
      select s.id, s.account_id, s.in_reply_to_account_id from statuses s
      where s.id = any(${named.statusIds}::bigint[]) and (${isPublicOrUnlistedSql(sql`s.visibility`)}
        or (s.visibility = 'private' and exists (
          select from follows f join accounts fa on fa.id = f.account_id where f.target_account_id = s.account_id and fa.domain = ${domain}))
        or exists (select from mentions m join accounts ma on ma.id = m.account_id where m.status_id = s.id and ma.domain = ${domain}))
    ), collected as (
      select c.id, c.account_id from collections c where c.id = any(${named.collectionIds}::bigint[]) and c.uri is null
    )
    select a.id, array(select r.id::text from reported r where r.account_id = a.id order by r.id) as status_ids,
      array(select c.id::text from collected c where c.account_id = a.id order by c.id) as collection_ids
    from accounts a
    where (a.id = any(${named.accountIds}::bigint[]) or a.id in (select account_id from reported union select account_id from collected)) and a.suspended_at is null
      and (a.domain is null or exists (
        select from reported r join accounts replied on replied.id = r.in_reply_to_account_id
        where r.account_id = a.id and replied.domain is null))
    order by a.id`)
  return rows.map(({ id, status_ids, collection_ids }) => ({
    accountId: id,
    statusIds: status_ids,
    collectionIds: collection_ids,
  }))
}

/** The domains of remote accounts to which these statuses reply. */
export async function findRepliedDomains(ctx: Context, statusIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.many<{ domain: string }>(sql`
    select distinct a.domain from statuses s join accounts a on a.id = s.in_reply_to_account_id
    where s.id = any(${statusIds}::bigint[]) and a.domain is not null`)
  return rows.map(({ domain }) => domain)
}

/** Whether staff may name a status `s` in a report. `reported`: the ids of those that it has named before. */
const isOpenToStaff = (reported: readonly string[]): Sql =>
  sql`(s.reblog_of_id is null and (${isPublicOrUnlistedSql(sql`s.visibility`)} or s.id = any(${reported}::bigint[])))`

type OpenOptions = { withMedia?: boolean; reported?: readonly string[] }

/** Public and unlisted statuses of an account, newest first: moderators read others only when they are reported. */
export async function listOpenStatuses(
  ctx: Context,
  accountId: string,
  page: Pagination,
  { withMedia = false, reported = [] }: OpenOptions = {},
): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Statuses, 'id'>>(sql`
    select s.id from statuses s
    where s.account_id = ${accountId} and ${isOpenToStaff(reported)}
      and (not ${withMedia} or s.media_ids <> '{}') and ${onPage(sql`s.id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}

/** Those of `ids` that `listOpenStatuses` would list. */
export async function filterOpenStatuses(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  { reported = [] }: Pick<OpenOptions, 'reported'> = {},
): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Statuses, 'id'>>(sql`
    select s.id from statuses s
    where s.id = any(${ids}::bigint[]) and s.account_id = ${accountId}
      and ${isOpenToStaff(reported)} order by s.id`)
  return rows.map(({ id }) => id)
}
