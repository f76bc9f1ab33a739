import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { indexKept, unindexKept } from '../search/status-index.ts'

/** Puts a status aside for an account, once. Nobody else learns of it. Of a status that is gone there is nothing to put aside. */
export async function bookmark(ctx: Context, accountId: string, statusId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const added = await tx.db.run(sql`
      with target as (select id from statuses where id = ${statusId} for key share)
      insert into bookmarks (account_id, status_id) select ${accountId}, id from target on conflict (status_id, account_id) do nothing`)
    if (added > 0) await indexKept(tx, accountId, statusId)
  })
}

/** Takes a bookmark away. Gives whether there was one. */
export async function unbookmark(ctx: Context, accountId: string, statusId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const gone = await tx.db.run(sql`delete from bookmarks where account_id = ${accountId} and status_id = ${statusId}`)
    if (gone > 0) await unindexKept(tx, accountId, statusId)
    return gone > 0
  })
}
