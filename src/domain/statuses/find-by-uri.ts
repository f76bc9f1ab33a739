import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { parseOurUrl } from '../server/addresses.ts'
import type { StatusRow } from './visibility.ts'

/** The post or boost with this ActivityPub id, of this server or another, if it is here. Says nothing about who may read it. */
export async function findStatusByUri(ctx: Context, uri: string): Promise<StatusRow | null> {
  const ours = parseOurUrl(ctx, uri)
  if (!ours)
    return ctx.db.maybe<StatusRow>(
      sql`select s.*, a.username, a.domain from statuses s join accounts a on a.id = s.account_id where s.uri = ${uri}`,
    )
  if (ours.statusId === null || ours.statusId.length > 18) return null
  return ctx.db.maybe<StatusRow>(sql`
    select s.*, a.username, a.domain from statuses s join accounts a on a.id = s.account_id
    where s.id = ${ours.statusId} and s.local and lower(a.username) = ${ours.username.toLowerCase()}`)
}
