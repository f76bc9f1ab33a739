import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Whether an account is limited: its follows are requests, its public posts unlisted. */
export async function isSilenced(ctx: Context, accountId: string): Promise<boolean> {
  return (await ctx.db.maybe(sql`select from accounts where id = ${accountId} and silenced_at is not null`)) !== null
}
