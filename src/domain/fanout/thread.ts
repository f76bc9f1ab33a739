import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/names.ts'
import { parseOurUrl } from '../instance/addresses.ts'
import { fetchRemoteStatus } from './remote-status.ts'

/** So many posts up a thread is fetched at most. */
const DEEPEST = 40

/** Job `federation.thread`: fetches what a reply answers to, what that answers to, and so on. */
export async function fetchThread(ctx: Context, { statusId }: JobData['federation.thread']): Promise<void> {
  let current: string | null = statusId
  for (let depth = 0; depth < DEEPEST && current !== null; depth++) current = await fetchParent(ctx, current)
}

/** Gives the parent, if it was not known before. */
async function fetchParent(ctx: Context, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ uri: string | null }>(
    sql`select in_reply_to_uri as uri from statuses where id = ${statusId}`,
  )
  if (!row?.uri || parseOurUrl(ctx, row.uri)) return null
  const parentId = await fetchRemoteStatus(ctx, row.uri, { thread: false })
  if (parentId !== null) await adopt(ctx, statusId, parentId, row.uri)
  return parentId
}

/** Ties a reply to its parent, in case that came just when the reply was being stored and neither saw the other. */
async function adopt(ctx: Context, statusId: string, parentId: string, uri: string): Promise<void> {
  await ctx.db.run(sql`
    with adopted as (
      update statuses c set in_reply_to_id = p.id, in_reply_to_account_id = p.account_id, in_reply_to_uri = null
      from statuses p where p.id = ${parentId} and c.id = ${statusId} and c.in_reply_to_uri = ${uri} and p.id <> c.id returning c.visibility
    )
    insert into status_stats (status_id, replies_count) select ${parentId}, count(*)::int from adopted where visibility in ('public', 'unlisted') having count(*) > 0
    on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count`)
}
