import { sql, type Sql } from '../../db/sql.ts'

const open = sql`('public', 'unlisted')`

/**
 * Accounts whose servers may hold a copy of some posts, although they follow no author and are not addressed any more. Columns:
 * `status_id`, `account_id`; `remote`: the account is remote, and has interacted with the post or was mentioned before an edit;
 * `sharer`: it is local and has boosted, answered or quoted a public post, so that its remote followers have met it.
 */
export const copyHolders = (statusIds: readonly string[] | Sql): Sql => {
  const ids = Array.isArray(statusIds) ? sql`any(${statusIds}::bigint[])` : sql`any(${statusIds})`
  return sql`
    select i.status_id, i.account_id, a.domain is not null as remote,
      a.domain is null and i.shares and o.visibility in ${open} and exists (
        select from follows f join accounts fa on fa.id = f.account_id where f.target_account_id = a.id and fa.domain is not null) as sharer
    from (
      select reblog_of_id as status_id, account_id, visibility <> 'direct' as shares from statuses where reblog_of_id = ${ids}
      union all select in_reply_to_id, account_id, visibility <> 'direct' from statuses where in_reply_to_id = ${ids}
      union all select q.quoted_status_id, q.account_id, qs.visibility <> 'direct' from quotes q join statuses qs on qs.id = q.status_id where q.quoted_status_id = ${ids}
      union all select status_id, account_id, false from favourites where status_id = ${ids}
      union all select p.status_id, v.account_id, false from polls p join poll_votes v on v.poll_id = p.id where p.status_id = ${ids}
      union all select status_id, account_id, false from former_mentions where status_id = ${ids}
    ) i join accounts a on a.id = i.account_id join statuses o on o.id = i.status_id`
}

/** So many local accounts that shared a post have their followers told of what becomes of it. */
export const MOST_SHARERS = 500
