import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { parseOurUrl } from '../../domain/server/addresses.ts'
import { linkReplies } from '../../domain/statuses/link-replies.ts'
import { fetchRemoteStatus } from './receive-status.ts'

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
  // The parent may have come just when the reply was being stored, and neither saw the other.
  const parent = parentId === null ? null : { id: parentId, uri: row.uri }
  if (parent) await ctx.transaction((tx) => linkReplies(tx, parent, statusId))
  return parentId
}
