import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'

export type Tie = { account_id: string; target_account_id: string }

/** Counts follows that were really made. Rows are taken in the order of their ids, so that two counters do not wait for each other. */
export async function countFollows(tx: Context, ties: readonly Tie[]): Promise<void> {
  if (ties.length === 0) return
  await tx.db.run(sql`
    insert into account_stats as st (account_id, following_count, followers_count)
    select id, following, followers from (${perAccount(ties)}) changes order by id
    on conflict (account_id) do update
    set following_count = st.following_count + excluded.following_count, followers_count = st.followers_count + excluded.followers_count`)
}

/** Counts follows that really ended. */
export async function uncountFollows(tx: Context, ties: readonly Tie[]): Promise<void> {
  if (ties.length === 0) return
  await tx.db.run(sql`
    update account_stats st
    set following_count = greatest(0, st.following_count - changes.following), followers_count = greatest(0, st.followers_count - changes.followers)
    from (${perAccount(ties)}) changes
    where st.account_id = changes.id and st.account_id in (
      select account_id from account_stats where account_id = any(${[...new Set(ties.flatMap((tie) => [tie.account_id, tie.target_account_id]))]}::bigint[])
      order by account_id for update)`)
}

/** How many of these ended follows were by the account, and how many of it. */
export function countLoss(ties: readonly Tie[], accountId: string): { following: number; followers: number } {
  const following = ties.filter((tie) => tie.account_id === accountId).length
  return { following, followers: ties.length - following }
}

function perAccount(ties: readonly Tie[]): Sql {
  return sql`
    select id, sum(following)::int as following, sum(followers)::int as followers
    from (
      select account_id as id, 1 as following, 0 as followers from unnest(${ties.map((tie) => tie.account_id)}::bigint[]) as a (account_id)
      union all
      select target_account_id, 0, 1 from unnest(${ties.map((tie) => tie.target_account_id)}::bigint[]) as t (target_account_id)
    ) sides group by id`
}
