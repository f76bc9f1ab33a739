import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** The ids of tags by their folded names (`normaliseTag`); nobody used those that are missing. */
export async function findTags(ctx: Context, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.many<{ id: string; name: string }>(
    sql`select id, name from tags where name = any(${names}::text[])`,
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}
