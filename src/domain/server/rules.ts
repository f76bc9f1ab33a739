import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** What the people of this server agreed to. `hint` explains, and may be empty. */
export type ServerRule = { id: string; text: string; hint: string }

/** The rules of this server, in their order. */
export function listRules(ctx: Context): Promise<ServerRule[]> {
  return ctx.db.many<ServerRule>(sql`select id, text, hint from rules order by position, id`)
}
