import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { InteractionPolicy } from './interaction-policy.ts'
import { hasBlocked, hasBlockedDomainOf } from '../relationships/hidden.ts'

/** Who looks: an account, or nobody. */
export type Onlooker = { accountId: string } | null

/**
 * The one visibility rule, as a condition on a status `s` and its author `a`: may the viewer read it?
 * public, unlisted: everybody. private: followers, the mentioned, the author. direct: the mentioned, the author.
 * Never: of suspended authors, and of authors who block the viewer. Replies and boosts that wait for approval, or were not
 * approved: the author.
 */
export function visibleTo(viewer: Onlooker): Sql {
  if (!viewer) return sql`(s.visibility in ('public', 'unlisted') and s.approval is null and a.suspended_at is null)`
  return visibleToAccount(viewer.accountId)
}

/** As visibleTo, for an account that may be a column. */
export function visibleToAccount(me: string | Sql): Sql {
  return sql`(a.suspended_at is null
    and (s.account_id = ${me}
      or (s.approval is null and (s.visibility in ('public', 'unlisted')
          or exists (select from mentions vm where vm.status_id = s.id and vm.account_id = ${me})
          or (s.visibility = 'private' and exists (select from follows vf where vf.account_id = ${me} and vf.target_account_id = s.account_id)))
        and not ${hasBlocked(sql`s.account_id`, me)})))`
}

/**
 * For viewers of other servers, beside visibleTo: not where the author of a status `s` blocks their whole domain. People of
 * this server have none.
 */
export function notFromBlockedDomain(viewer: Onlooker): Sql {
  if (!viewer) return sql`true`
  return sql`not ${hasBlockedDomainOf(sql`s.account_id`, sql`array[${viewer.accountId}::bigint]`)}`
}

/** Whether what a post `s` boosts may be read by the viewer; true of what is no boost. */
export function originalVisibleTo(viewer: Onlooker): Sql {
  return sql`(s.reblog_of_id is null or exists (
    select from (select original.* from statuses original where original.id = s.reblog_of_id) s
    join accounts a on a.id = s.account_id where ${visibleTo(viewer)}))`
}

export type StatusRow = {
  id: string
  account_id: string
  uri: string | null
  url: string | null
  text: string
  content: string
  spoiler_text: string
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  sensitive: boolean
  language: string | null
  local: boolean
  reply: boolean
  in_reply_to_id: string | null
  in_reply_to_account_id: string | null
  reblog_of_id: string | null
  conversation_id: string | null
  app_id: string | null
  media_ids: string[]
  poll_id: string | null
  quote_id: string | null
  quote_policy: number
  interaction_policy: InteractionPolicy | null
  /** Null: approved, or no approval needed. Otherwise only the author sees it. */
  approval: 'pending' | 'rejected' | 'revoked' | null
  approval_uri: string | null
  edited_at: Date | null
  created_at: Date
  username: string
  domain: string | null
}

/** The statuses among `ids` that the viewer may read. Of a boost, the boosted status must be readable too. */
export async function findVisibleStatuses(
  ctx: Context,
  viewer: Onlooker,
  ids: readonly string[],
): Promise<StatusRow[]> {
  return ctx.db.many<StatusRow>(sql`select s.*, a.username, a.domain ${visibleAmong(viewer, ids)}`)
}

/** The ids of findVisibleStatuses, as a statement. */
export const visibleIds = (viewer: Onlooker, ids: readonly string[]): Sql =>
  sql`select s.id ${visibleAmong(viewer, ids)}`

const visibleAmong = (viewer: Onlooker, ids: readonly string[]): Sql => sql`
  from statuses s join accounts a on a.id = s.account_id
  where s.id = any(${ids}::bigint[]) and ${visibleTo(viewer)} and ${notFromBlockedDomain(viewer)}
    and (s.reblog_of_id is null or exists (
      select from (select o.* from statuses o where o.id = s.reblog_of_id) s join accounts a on a.id = s.account_id where ${visibleTo(viewer)}))`

/** A status that the viewer may read. Throws NotFound, whether it is missing or hidden. */
export async function getVisibleStatus(ctx: Context, viewer: Onlooker, id: string): Promise<StatusRow> {
  const [status] = await findVisibleStatuses(ctx, viewer, [id])
  if (!status) throw new NotFound()
  return status
}

/** As getVisibleStatus; of a boost, the status it boosts: what favouriting, bookmarking and replying act on. */
export async function getTargetStatus(ctx: Context, viewer: Onlooker, id: string): Promise<StatusRow> {
  const status = await getVisibleStatus(ctx, viewer, id)
  return status.reblog_of_id === null ? status : getVisibleStatus(ctx, viewer, status.reblog_of_id)
}

/** The id of the status that `id` stands for: itself, or what it boosts. Null when missing; says nothing about who may see it. */
export async function findOriginalId(ctx: Context, id: string): Promise<string | null> {
  return (
    (await ctx.db.maybe<{ id: string }>(sql`select coalesce(reblog_of_id, id) as id from statuses where id = ${id}`))
      ?.id ?? null
  )
}
