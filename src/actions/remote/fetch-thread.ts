import type { Context } from '../../context.ts'
import { findMissingParent } from '../../domain/statuses/find.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { parseOurUrl } from '../../domain/server/addresses.ts'
import { linkReplies } from '../../domain/statuses/insert.ts'
import { fetchRemoteStatus } from './receive-status.ts'

/** At most this many ancestors are fetched. */
const MAX_ANCESTORS = 40

/** Job `federation.thread`: fetches the ancestors of a reply. */
export async function fetchThread(ctx: Context, { statusId }: JobData['federation.thread']): Promise<void> {
  let current: string | null = statusId
  for (let depth = 0; depth < MAX_ANCESTORS && current !== null; depth++) current = await fetchParent(ctx, current)
}

/** Returns the id of the parent, unless it was linked before. */
async function fetchParent(ctx: Context, statusId: string): Promise<string | null> {
  const uri = await findMissingParent(ctx, statusId)
  if (uri === null || parseOurUrl(ctx, uri)) return null
  const parentId = await fetchRemoteStatus(ctx, uri, { thread: false })
  // Parent and reply may have been stored at the same time, without seeing each other.
  const parent = parentId === null ? null : { id: parentId, uri }
  if (parent) await ctx.transaction((tx) => linkReplies(tx, parent, statusId))
  return parentId
}
