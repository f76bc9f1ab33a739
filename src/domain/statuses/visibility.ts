import type { Context } from '../../context.ts'
import type { Statuses, Visibility } from '../../db/schema.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { hasBlocked, hasBlockedDomainOf } from '../relationships/hidden.ts'
import { statusColumns, type StatusRow } from './find.ts'

/** Null for a request without a token. */
export type MaybeViewer = { accountId: string } | null

export const isPublicOrUnlistedSql = (visibility: Sql): Sql => sql`${visibility} in ('public', 'unlisted')`

export const isPublicOrUnlisted = (visibility: Visibility): boolean =>
  visibility === 'public' || visibility === 'unlisted'

/** A condition on a status `s`. Direct statuses cannot be reblogged, private ones only by their authors. */
export const mayBeReblogged = (accountId: string): Sql =>
  sql`(${isPublicOrUnlistedSql(sql`s.visibility`)} or (s.visibility = 'private' and s.account_id = ${accountId}))`

/** As mayBeReblogged, for a status that was read. */
export const mayReblog = (
  accountId: string,
  { visibility, account_id: authorId }: Pick<Statuses, 'visibility' | 'account_id'>,
): boolean => isPublicOrUnlisted(visibility) || (visibility === 'private' && authorId === accountId)

/**
 * A condition on a status `s` and its author `a`. public, unlisted: everyone. private: followers, mentioned accounts, the
 * author. direct: mentioned accounts, the author. Suspended authors are hidden from everyone, and authors from accounts that
 * they block. Only the author sees replies and reblogs without the approval that they need.
 */
export function visibleTo(viewer: MaybeViewer): Sql {
  if (!viewer)
    return sql`(${isPublicOrUnlistedSql(sql`s.visibility`)} and s.approval is null and a.suspended_at is null)`
  return visibleToAccount(viewer.accountId)
}

/** As visibleTo. `me` may be a column. */
export function visibleToAccount(me: string | Sql): Sql {
  return sql`(a.suspended_at is null
    and (s.account_id = ${me}
      or (s.approval is null and (${isPublicOrUnlistedSql(sql`s.visibility`)}
          or exists (select from mentions vm where vm.status_id = s.id and vm.account_id = ${me})
          or (s.visibility = 'private' and exists (select from follows vf where vf.account_id = ${me} and vf.target_account_id = s.account_id)))
        and not ${hasBlocked(sql`s.account_id`, me)})))`
}

/** A condition on a status `s` and its author `a`: public feeds and trends may show it. */
export const isShownInPublic: Sql = sql`(s.visibility = 'public' and s.approval is null and a.silenced_at is null and a.suspended_at is null)`

/** Mentioned accounts of a status `s`, where mentions decide who may see it. */
export const mentionsThatGiveAccess: Sql = sql`case when ${isPublicOrUnlistedSql(sql`s.visibility`)} then '{}'::bigint[]
  else array(select vm.account_id from mentions vm where vm.status_id = s.id) end`

/** open: public and unlisted statuses. private: those for followers too. all: the viewer's own. */
export type StatusAccess = 'none' | 'open' | 'private' | 'all'

/**
 * As visibleTo, for a status `s` of an account that gives the viewer this access. `me`: also those that mention this account.
 */
export function accessCondition(access: Exclude<StatusAccess, 'none'>, me: string | null): Sql {
  if (access === 'all') return sql`true`
  const mentions =
    me === null ? nothing : sql`or exists (select from mentions vm where vm.status_id = s.id and vm.account_id = ${me})`
  return sql`s.approval is null and (${access === 'private' ? sql`s.visibility <> 'direct'` : isPublicOrUnlistedSql(sql`s.visibility`)} ${mentions})`
}

/** As visibleTo, in memory. */
export function maySee(
  viewerId: string | null,
  status: Pick<Statuses, 'account_id' | 'visibility' | 'approval'> & { mentioned_ids: readonly string[] },
  author: { suspended: boolean },
  { follows, blocked_by }: { follows: boolean; blocked_by: boolean },
): boolean {
  if (author.suspended) return false
  if (status.account_id === viewerId) return true
  if (status.approval !== null || blocked_by) return false
  if (isPublicOrUnlisted(status.visibility)) return true
  return viewerId !== null && (status.mentioned_ids.includes(viewerId) || (status.visibility === 'private' && follows))
}

/**
 * A condition on a status `s`: it is no reblog, or the viewer may see its original, and `alsoRequired` is true of the original
 * (`s`) and its author (`a`).
 */
export function originalVisibleTo(viewer: MaybeViewer, alsoRequired?: Sql): Sql {
  return sql`(s.reblog_of_id is null or exists (
    select from (select o.id, o.account_id, o.visibility, o.approval from statuses o where o.id = s.reblog_of_id) s
    join accounts a on a.id = s.account_id where ${visibleTo(viewer)} ${alsoRequired ? sql`and ${alsoRequired}` : nothing}))`
}

/** A condition on a status `s`. Use it together with visibleTo for remote viewers; local accounts have no domain. */
export function notFromBlockedDomain(viewer: MaybeViewer): Sql {
  if (!viewer) return sql`true`
  return sql`not ${hasBlockedDomainOf(sql`s.account_id`, sql`array[${viewer.accountId}::bigint]`)}`
}

/** For a reblog, the viewer must be able to see the original too. */
export async function findVisibleStatuses(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<StatusRow[]> {
  return ctx.db.many<StatusRow>(sql`select ${statusColumns} ${visibleAmong(viewer, ids)}`)
}

const visibleAmong = (viewer: MaybeViewer, ids: readonly string[]): Sql => sql`
  from statuses s join accounts a on a.id = s.account_id
  where s.id = any(${ids}::bigint[]) and ${visibleTo(viewer)} and ${notFromBlockedDomain(viewer)} and ${originalVisibleTo(viewer)}`

/** Throws the same NotFound whether the status is missing or hidden. */
export async function getVisibleStatus(ctx: Context, viewer: MaybeViewer, id: string): Promise<StatusRow> {
  const [status] = await findVisibleStatuses(ctx, viewer, [id])
  if (!status) throw new NotFound()
  return status
}

/** As getVisibleStatus, but for a reblog returns the original: favourites, bookmarks and replies act on that. */
export async function getTargetStatus(ctx: Context, viewer: MaybeViewer, id: string): Promise<StatusRow> {
  const status = await getVisibleStatus(ctx, viewer, id)
  return status.reblog_of_id === null ? status : getVisibleStatus(ctx, viewer, status.reblog_of_id)
}
