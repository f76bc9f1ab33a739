import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** What the people of this server agreed to. `hint` explains, and may be empty. */
export type Rule = { id: string; text: string; hint: string }

/** The rules of this server, in their order. */
export function listRules(ctx: Context): Promise<Rule[]> {
  return ctx.db.many<Rule>(sql`select id, text, hint from rules order by position, id`)
}
