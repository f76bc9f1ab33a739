import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

export type Listeners = {
  /** By status: accounts of other servers that have to do with it. */
  byStatus: Map<string, string[]>
  /** Authors who have followers on other servers. */
  followed: Set<string>
}

/**
 * Who of other servers has heard of posts and boosts beside the followers: the mentioned, those who boosted, favourited,
 * answered, quoted or voted, and whom they answer to, boost or quote. For telling them that it is gone, while the rows are still there.
 */
export async function findListeners(
  tx: Context,
  statuses: readonly { id: string; account_id: string }[],
): Promise<Listeners> {
  if (statuses.length === 0) return { byStatus: new Map(), followed: new Set() }
  const ids = statuses.map(({ id }) => id)
  const concerned = await tx.db.many<{ id: string; accounts: string[] }>(sql`
    select concerned.id, array_agg(distinct a.id)::text[] as accounts from (
      select status_id as id, account_id from mentions where status_id = any(${ids}::bigint[])
      union all select reblog_of_id, account_id from statuses where reblog_of_id = any(${ids}::bigint[])
      union all select in_reply_to_id, account_id from statuses where in_reply_to_id = any(${ids}::bigint[])
      union all select status_id, account_id from favourites where status_id = any(${ids}::bigint[])
      union all select quoted_status_id, account_id from quotes where quoted_status_id = any(${ids}::bigint[])
      union all select status_id, quoted_account_id from quotes where status_id = any(${ids}::bigint[])
      union all select p.status_id, v.account_id from polls p join poll_votes v on v.poll_id = p.id where p.status_id = any(${ids}::bigint[])
      union all select id, in_reply_to_account_id from statuses where id = any(${ids}::bigint[])
      union all select s.id, o.account_id from statuses s join statuses o on o.id = s.reblog_of_id where s.id = any(${ids}::bigint[])
    ) concerned join accounts a on a.id = concerned.account_id and a.domain is not null
    group by concerned.id`)
  const followed = await tx.db.many<{ id: string }>(sql`
    select author.id from (select distinct unnest(${statuses.map((s) => s.account_id)}::bigint[]) as id) author
    where exists (select from follows f join accounts a on a.id = f.account_id where f.target_account_id = author.id and a.domain is not null)`)
  return {
    byStatus: new Map(concerned.map(({ id, accounts }) => [id, accounts])),
    followed: new Set(followed.map(({ id }) => id)),
  }
}
