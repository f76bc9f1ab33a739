import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { wantsToBeFound } from '../accounts/find.ts'

/** Whether the account's owner wants it to be found, and moderators do not object. */
export const isDiscoverable = async (ctx: Context, accountId: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from accounts a where a.id = ${accountId} and ${wantsToBeFound}`)) !== null

/** False when it was recommended before. */
export const storeRecommendation = async (ctx: Context, accountId: string, targetAccountId: string): Promise<boolean> =>
  (
    await ctx.db.maybe<{ isNew: boolean }>(sql`
    insert into fasp_follow_recommendations (account_id, target_account_id) values (${accountId}, ${targetAccountId})
    on conflict (account_id, target_account_id) do update set created_at = now() returning xmax = 0 as "isNew"`)
  )?.isNew === true

/** Candidates for the suggestions of an account, newest first. */
export const recommendedTo = (accountId: string, limit: number): Sql => sql`
  select target_account_id, 'similar_to_recently_followed'::text as source, extract(epoch from created_at)::float8 as score
  from fasp_follow_recommendations where account_id = ${accountId} order by created_at desc limit ${limit}::int`
