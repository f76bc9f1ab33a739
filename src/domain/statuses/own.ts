import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { StatusRow } from './visibility.ts'

/** A post or boost of this account, or null, also for those of others. */
export async function findOwnStatus(ctx: Context, accountId: string, id: string): Promise<StatusRow | null> {
  return ctx.db.maybe<StatusRow>(sql`
    select s.*, a.username, a.domain from statuses s join accounts a on a.id = s.account_id where s.id = ${id} and s.account_id = ${accountId}`)
}

/** A post, not a boost, of this account. Throws NotFound. */
export async function getOwnPost(ctx: Context, accountId: string, id: string): Promise<StatusRow> {
  const status = await findOwnStatus(ctx, accountId, id)
  if (!status || status.reblog_of_id !== null) throw new NotFound()
  return status
}
