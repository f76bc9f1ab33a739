import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

const AT_ONCE = 500

const unused = sql`a.created_at < now() - interval '1 day'
  and not exists (select from oauth_tokens t where t.app_id = a.id)
  and not exists (select from oauth_grants g where g.app_id = a.id)
  and not exists (select from users u where u.created_by_app_id = a.id)
  and not exists (select from statuses s where s.app_id = a.id)
  and not exists (select from scheduled_statuses w where w.app_id = a.id)`

/** Removes applications that have neither token nor code after a day, nor anything that was done with them. */
export async function removeUnusedApps(ctx: Context): Promise<void> {
  for (;;) {
    const gone = await ctx.transaction(async (tx) => {
      // Held, and looked at again: nobody is given a token for an application that goes.
      const held = await tx.db.many<{ id: string }>(
        sql`select a.id from oauth_apps a where ${unused} order by a.id limit ${AT_ONCE} for update skip locked`,
      )
      return tx.db.run(
        sql`delete from oauth_apps a where a.id = any(${held.map(({ id }) => id)}::bigint[]) and ${unused}`,
      )
    })
    if (gone < AT_ONCE) return
  }
}
