import type { Activity } from '../../../ap/activity.ts'
import { isSameHost, type Json } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { findLocal } from '../../../domain/accounts/find.ts'
import { parseOurUrl } from '../../../domain/server/addresses.ts'
import { deleteTombstone, lockUri, undoneName } from '../../../domain/peers/tombstones.ts'

/** An activity that passed the gate. */
export type Incoming = {
  activity: Activity
  /** Who signed it; its author too, unless it was forwarded. */
  actor: AccountRow
  /** Signed by somebody other than its author: nothing it says can be trusted, and it is only a hint to look at the origin. */
  forwarded: boolean
}

export type Handler = (ctx: Context, incoming: Incoming) => Promise<void>

/** The embedded object, when its sender may speak for it: it is on the sender's host. Null: fetch it, if it matters. */
export function trustedObject({ activity, actor, forwarded }: Incoming): Json | null {
  const { object, objectId } = activity
  if (forwarded || object === null || typeof object === 'string' || objectId === null) return null
  return isSameHost(objectId, actor.uri ?? '') ? object : null
}

/** The account of this server that an address names, unless it is suspended. */
export async function findLocalTarget(ctx: Context, uri: string | null): Promise<AccountRow | null> {
  const ours = uri === null ? null : parseOurUrl(ctx, uri)
  if (!ours || ours.statusId !== null) return null
  const account = await findLocal(ctx, ours.username)
  return account && account.suspended_at === null ? account : null
}

/**
 * Does something once an activity's turn has come, in a transaction: not at the same time as its Undo, and not at all when that
 * was here before it. Such an Undo is then used up: done again under the same name, it counts.
 */
export async function unlessUndone(
  ctx: Context,
  { activity, actor }: Incoming,
  work: (tx: Context) => Promise<unknown>,
): Promise<void> {
  const name = activity.id === null ? null : undoneName(actor.uri ?? '', activity.id)
  await ctx.transaction(async (tx) => {
    if (name !== null) {
      await lockUri(tx, name)
      if (await deleteTombstone(tx, name)) return
    }
    await work(tx)
  })
}
