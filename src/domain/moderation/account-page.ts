// Queries for the page on which moderators see an account.
import type { Context } from '../../context.ts'
import type { Accounts, Statuses, Users } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { isPublicOrUnlistedSql } from '../statuses/visibility.ts'
import { hasSecondFactorSql } from '../users/states.ts'

/** The facts that the page shows besides the Admin::Account entity. */
export type ModerationFacts = Pick<
  Accounts,
  'purge_at' | 'purged_at' | 'suspension_origin' | 'avatar_key' | 'header_key'
> & {
  last_active_at: Users['last_active_at']
  unconfirmed_email: Users['unconfirmed_email']
  role_id: string | null
  sessions: number
  has_second_factor: boolean
  app: string | null
  local_statuses: number
  media: number
  email_subscriptions: number
  reports_by: number
  reports_about: number
  unresolved_reports: number
}

/** The account must exist. */
export const readModerationFacts = (ctx: Context, accountId: string): Promise<ModerationFacts> =>
  ctx.db.one<ModerationFacts>(sql`
    select a.purge_at, a.purged_at, a.suspension_origin, a.avatar_key, a.header_key, u.last_active_at, u.unconfirmed_email, u.role_id,
      (select count(*)::int from sessions s where s.user_id = u.id) as sessions,
      ${hasSecondFactorSql(sql`u.id`)} as has_second_factor,
      (select app.name from oauth_apps app where app.id = u.created_by_app_id) as app,
      (select count(*)::int from statuses s where s.account_id = a.id) as local_statuses,
      (select count(*)::int from media_attachments m where m.account_id = a.id) as media,
      (select count(*)::int from email_subscriptions e where e.account_id = a.id and e.confirmed_at is not null) as email_subscriptions,
      (select count(*)::int from reports r where r.account_id = a.id) as reports_by,
      (select count(*)::int from reports r where r.target_account_id = a.id) as reports_about,
      (select count(*)::int from reports r where r.target_account_id = a.id and r.action_taken_at is null) as unresolved_reports
    from accounts a left join users u on u.account_id = a.id where a.id = ${accountId}`)

/** The effects that a suspension would have now. */
export type SuspensionPreview = {
  /** Local accounts that follow one of the suspended accounts, and those that one of them follows. All lose these follows. */
  local_followers: number
  local_followed: number
  /** Follows by and of accounts on other servers, which stay until the data is deleted. */
  remote_follows: number
  statuses: number
  media: number
  unresolved_reports: number
}

/** Statuses and media are counted up to this. */
const MAX_COUNTED = 100_000

export function previewSuspension(ctx: Context, accounts: string | readonly string[]): Promise<SuspensionPreview> {
  const ids = sql`${typeof accounts === 'string' ? [accounts] : accounts}::bigint[]`
  const remotes = (mine: Sql, other: Sql): Sql =>
    sql`(select count(*)::int from follows f join accounts o on o.id = ${other} and o.domain is not null where ${mine} = any(${ids}))`
  return ctx.db.one<SuspensionPreview>(sql`
    select
      (select count(distinct t.id)::int from follows f join accounts t on t.id = f.target_account_id and t.domain is null where f.account_id = any(${ids})) as local_followed,
      (select count(distinct o.id)::int from follows f join accounts o on o.id = f.account_id and o.domain is null where f.target_account_id = any(${ids})) as local_followers,
      ${remotes(sql`f.account_id`, sql`f.target_account_id`)} + ${remotes(sql`f.target_account_id`, sql`f.account_id`)} as remote_follows,
      (select count(*)::int from (select from statuses where account_id = any(${ids}) limit ${MAX_COUNTED}) s) as statuses,
      (select count(*)::int from (select from media_attachments where account_id = any(${ids}) limit ${MAX_COUNTED}) m) as media,
      (select count(*)::int from reports where target_account_id = any(${ids}) and action_taken_at is null) as unresolved_reports`)
}

/** The newest first, without boosts. Includes the posts of a suspended account, which moderators may have to judge again. */
export async function listPublicStatusIds(ctx: Context, accountId: string, limit: number): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Statuses, 'id'>>(sql`
    select id from statuses
    where account_id = ${accountId} and reblog_of_id is null and approval is null and ${isPublicOrUnlistedSql(sql`visibility`)}
    order by id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}
