import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Which of the tokens still belong to somebody who may use them. For connections that outlive a request. */
export async function usableTokens(ctx: Context, tokenIds: readonly string[]): Promise<Set<string>> {
  if (tokenIds.length === 0) return new Set()
  const rows = await ctx.db.many<{ id: string }>(sql`
    select t.id from oauth_tokens t join users u on u.id = t.user_id join accounts a on a.id = u.account_id
    where t.id = any(${tokenIds}::bigint[]) and u.confirmed_at is not null and u.approved and not u.disabled and a.suspended_at is null`)
  return new Set(rows.map(({ id }) => id))
}
