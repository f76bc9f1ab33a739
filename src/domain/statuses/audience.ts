import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { copyHolders, MOST_SHARERS } from './copies.ts'

export type Listeners = {
  /** By status: accounts of other servers that have to do with it. */
  byStatus: Map<string, string[]>
  /** By status: local accounts that shared it with remote followers. */
  sharers: Map<string, string[]>
  /** Authors who have followers on other servers. */
  followed: Set<string>
}

/**
 * Remote accounts that have heard of posts and boosts beside the followers: those that are or were mentioned, that interacted
 * with it, and the accounts that it answers, boosts or quotes. For deletions, while the rows are still there.
 */
export async function findListeners(
  tx: Context,
  statuses: readonly { id: string; account_id: string }[],
): Promise<Listeners> {
  if (statuses.length === 0) return { byStatus: new Map(), sharers: new Map(), followed: new Set() }
  const ids = statuses.map(({ id }) => id)
  const concerned = await tx.db.many<{ id: string; accounts: string[]; sharers: string[] }>(sql`
    select c.status_id as id, coalesce(array_agg(distinct c.account_id) filter (where c.remote), '{}')::text[] as accounts,
      (coalesce(array_agg(distinct c.account_id) filter (where c.sharer), '{}'))[:${MOST_SHARERS}::int]::text[] as sharers
    from (
      ${copyHolders(ids)}
      union all select named.id, a.id, true, false from (
        select status_id as id, account_id from mentions where status_id = any(${ids}::bigint[])
        union all select status_id, quoted_account_id from quotes where status_id = any(${ids}::bigint[])
        union all select id, in_reply_to_account_id from statuses where id = any(${ids}::bigint[])
        union all select s.id, o.account_id from statuses s join statuses o on o.id = s.reblog_of_id where s.id = any(${ids}::bigint[])
      ) named join accounts a on a.id = named.account_id and a.domain is not null
    ) c where c.remote or c.sharer group by c.status_id`)
  const followed = await findFollowedElsewhere(
    tx,
    statuses.map(({ account_id: id }) => id),
  )
  return {
    byStatus: new Map(concerned.map(({ id, accounts }) => [id, accounts])),
    sharers: new Map(concerned.map(({ id, sharers }) => [id, sharers])),
    followed,
  }
}

/** Which of these accounts have remote followers. */
export async function findFollowedElsewhere(tx: Context, accountIds: readonly string[]): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const followed = await tx.db.many<{ id: string }>(sql`
    select author.id from (select distinct unnest(${accountIds}::bigint[]) as id) author
    where exists (select from follows f join accounts a on a.id = f.account_id where f.target_account_id = author.id and a.domain is not null)`)
  return new Set(followed.map(({ id }) => id))
}
