import { sql, type Sql } from '../../db/sql.ts'

/** How old a follow has to be for its owner to count as a follower, and an account not to count as new. */
const SETTLED_FOLLOW = sql`interval '3 days'`
const NEW_ACCOUNT = sql`interval '30 days'`
/** How far up a thread one's own message to the sender is looked for. */
const THREAD_DEPTH = 100

/**
 * What the rules of a recipient's policy say about something from a sender: an array of `accept`, `filter`, `drop`. Needs the
 * recipient as `r.account_id`, with their user `u` and policy `p` (left joined), and the sender as account `fa`.
 * Nothing applies to whom the recipient follows or has let through, nor to staff who stand above the recipient. Nearly always
 * there is neither a policy nor a limit on the sender, and nothing more is looked at.
 */
export function policyVerdicts(statusId: string | null): Sql {
  return sql`
    case
      when p.account_id is null and fa.silenced_at is null then '{}'::text[]
      when exists (select from follows vf where vf.account_id = r.account_id and vf.target_account_id = fa.id) then '{}'
      when exists (select from notification_permissions np where np.account_id = r.account_id and np.from_account_id = fa.id) then '{}'
      when exists (
        select from users su join roles sr on sr.id = su.role_id join roles rr on rr.id = u.role_id
        where su.account_id = fa.id and sr.highlighted and sr.position > rr.position) then '{}'
      else array_remove(array[
        case when fa.silenced_at is not null then coalesce(p.for_limited_accounts, 'filter') end,
        p.for_not_following,
        case when p.for_not_followers <> 'accept' and not exists (
            select from follows vf where vf.account_id = fa.id and vf.target_account_id = r.account_id and vf.created_at <= now() - ${SETTLED_FOLLOW})
          then p.for_not_followers end,
        case when fa.actor_type in ('Service', 'Application') then p.for_bots end,
        case when fa.created_at > now() - ${NEW_ACCOUNT} then p.for_new_accounts end,
        case when p.for_private_mentions <> 'accept' and ${isUnsolicited(statusId)} then p.for_private_mentions end
      ], null)
    end`
}

/** Whether a post is a private one that does not answer, at whatever remove, a private message of the recipient to the sender. */
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
