import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri } from '../domain/server/addresses.ts'

/** The name of an account of this server. */
export async function usernameOf(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ username: string }>(
    sql`select username from accounts where id = ${accountId} and domain is null`,
  )
  return row?.username ?? null
}

/** The ActivityPub id of any account that is known here. */
export async function findAccountUri(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ uri: string | null; username: string }>(
    sql`select uri, username from accounts where id = ${accountId}`,
  )
  return row && (row.uri ?? accountUri(ctx, row.username))
}
