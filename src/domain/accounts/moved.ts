import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden } from '../../lib/errors.ts'

/** Throws Forbidden for an account that has moved: it posts, boosts and follows no more. */
export async function refuseMoved(ctx: Context, accountId: string): Promise<void> {
  const moved = await ctx.db.maybe(
    sql`select from accounts where id = ${accountId} and domain is null and moved_to_id is not null`,
  )
  if (moved) throw new Forbidden()
}
