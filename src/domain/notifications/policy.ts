import type { Context } from '../../context.ts'
import type { NotificationPolicies } from '../../db/schema.ts'
import { commaList, name, sql, type Sql } from '../../db/sql.ts'
import { isBotSql } from '../accounts/profile-attributes.ts'
import { countHeld, shownRequests } from './requests.ts'

/** What happens to notifications from a kind of sender: shown, held for a request, or not created. */
export type Treatment = NotificationPolicies['for_bots']

export type NotificationTreatments = Omit<NotificationPolicies, 'account_id'>

export type PolicyRow = NotificationTreatments & { pending_requests_count: number; pending_notifications_count: number }

/** The treatments of accounts without a row in notification_policies. `policyDecisions` relies on all but one to accept. */
const DEFAULTS: NotificationTreatments = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'accept',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}

const COLUMNS = Object.keys(DEFAULTS) as (keyof NotificationTreatments)[]

export async function getPolicy(ctx: Context, accountId: string): Promise<PolicyRow> {
  const treatments = COLUMNS.map((column) => sql`coalesce(p.${name(column)}, ${DEFAULTS[column]}) as ${name(column)}`)
  return ctx.db.one<PolicyRow>(sql`
    select ${commaList(treatments)}, pending.*
    from (
      select count(*)::int as pending_requests_count, coalesce(sum(held.count), 0)::int as pending_notifications_count
      from ${shownRequests(accountId)} cross join ${countHeld({ accountId })}
      where held.count > 0
    ) pending
    left join notification_policies p on p.account_id = ${accountId}`)
}

/** Absent members stay as they are. Existing notifications do not change. */
export async function savePolicy(
  ctx: Context,
  accountId: string,
  changes: Partial<NotificationTreatments>,
): Promise<void> {
  const values = COLUMNS.map((column) => sql`${changes[column] ?? DEFAULTS[column]}`)
  const updates = COLUMNS.map(
    (column) => sql`${name(column)} = coalesce(${changes[column] ?? null}, p.${name(column)})`,
  )
  await ctx.db.run(sql`
    insert into notification_policies as p (account_id, ${commaList(COLUMNS.map(name))})
    values (${accountId}, ${commaList(values)})
    on conflict (account_id) do update set ${commaList(updates)}`)
}

/** Followers count as such after MIN_FOLLOW_AGE; accounts count as new until NEW_ACCOUNT_AGE. */
const MIN_FOLLOW_AGE = sql`interval '3 days'`
const NEW_ACCOUNT_AGE = sql`interval '30 days'`
/** How many statuses up a thread to search for a message from the recipient to the sender. */
const THREAD_DEPTH = 100

/**
 * The decisions of the recipient's policy on a sender, as an array of `accept`, `filter` and `drop`. Needs the recipient as
 * `r.account_id`, their user `u` and policy `p` (left joined), and the sender as account `fa`. The policy does not apply to
 * accounts that the recipient follows or has accepted, nor to staff of a higher role. The first case avoids all further
 * look-ups, as most recipients have no policy and most senders are not limited.
 */
export function policyDecisions(statusId: string | null): Sql {
  return sql`
    case
      when p.account_id is null and fa.silenced_at is null then '{}'::text[]
      when exists (select from follows vf where vf.account_id = r.account_id and vf.target_account_id = fa.id) then '{}'
      when exists (select from notification_permissions np where np.account_id = r.account_id and np.from_account_id = fa.id) then '{}'
      when exists (
        select from users su join roles sr on sr.id = su.role_id join roles rr on rr.id = u.role_id
        where su.account_id = fa.id and sr.highlighted and sr.position > rr.position) then '{}'
      else array_remove(array[
        case when fa.silenced_at is not null then coalesce(p.for_limited_accounts, ${DEFAULTS.for_limited_accounts}) end,
        p.for_not_following,
        case when p.for_not_followers <> 'accept' and not exists (
            select from follows vf where vf.account_id = fa.id and vf.target_account_id = r.account_id and vf.created_at <= now() - ${MIN_FOLLOW_AGE})
          then p.for_not_followers end,
        case when ${isBotSql(sql`fa.actor_type`)} then p.for_bots end,
        case when fa.created_at > now() - ${NEW_ACCOUNT_AGE} then p.for_new_accounts end,
        case when p.for_private_mentions <> 'accept' and ${isUnsolicited(statusId)} then p.for_private_mentions end
      ], null)
    end`
}

/** Whether a status is a private mention outside of threads in which the recipient sent a private mention to the sender. */
function isUnsolicited(statusId: string | null): Sql {
  if (statusId === null) return sql`false`
  return sql`exists (
    select from statuses vs where vs.id = ${statusId} and vs.visibility = 'direct' and not exists (
      with recursive up as (
        select a.id, a.in_reply_to_id, a.account_id, a.visibility, 1 as depth from statuses a where a.id = vs.in_reply_to_id
        union all
        select a.id, a.in_reply_to_id, a.account_id, a.visibility, up.depth + 1 from up join statuses a on a.id = up.in_reply_to_id
        where up.depth < ${THREAD_DEPTH}::int)
      select from up join mentions vm on vm.status_id = up.id and vm.account_id = fa.id
      where up.account_id = r.account_id and up.visibility = 'direct'))`
}
