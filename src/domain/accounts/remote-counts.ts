import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** What another server says of its account's counters; null where it does not say. */
export type RemoteCounts = { statuses: number | null; following: number | null; followers: number | null }

/** Stores the counters of a remote account; never less than what is known here, and as they are where its server keeps them to itself. */
export async function storeRemoteCounts(ctx: Context, accountId: string, counts: RemoteCounts): Promise<void> {
  await ctx.db.run(sql`
    insert into account_stats as st (account_id, statuses_count, following_count, followers_count, refreshed_at)
    values (${accountId}, ${counts.statuses ?? 0}, ${counts.following ?? 0}, ${counts.followers ?? 0}, now())
    on conflict (account_id) do update set refreshed_at = now(), statuses_count = coalesce(${counts.statuses}::int, st.statuses_count),
      following_count = greatest(coalesce(${counts.following}::int, st.following_count), (select count(*)::int from follows where account_id = ${accountId})),
      followers_count = greatest(coalesce(${counts.followers}::int, st.followers_count), (select count(*)::int from follows where target_account_id = ${accountId}))`)
}

/** Notes that an account was asked for, though nothing was learned, so that it is not asked for again at once. */
export async function noteAsked(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.run(sql`update accounts set fetched_at = now() where id = ${accountId}`)
}
