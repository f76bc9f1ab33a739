import type { Context } from '../../context.ts'
import { endFollow, type Severed } from '../../domain/relationships/unlink.ts'
import { removeFromHome } from '../timelines/fan-out.ts'

/** Ends a follow or the request for it, home timeline included. Null when there was none. Call it under the lock of the pair. */
export async function sever(tx: Context, accountId: string, targetAccountId: string): Promise<Severed | null> {
  const ended = await endFollow(tx, accountId, targetAccountId)
  if (ended?.wasFollowing) await removeFromHome(tx, accountId, targetAccountId)
  return ended
}
