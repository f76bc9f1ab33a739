import { type Activity, withObject } from '../../../ap/activity.ts'
import { asObject, isSameHost, type Json } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { shareTransaction } from '../../../actions/shared-transaction.ts'
import type { AccountRow } from '../../../domain/accounts/find.ts'
import { findLocal } from '../../../domain/accounts/find.ts'
import { parseLocalUrl } from '../../../domain/server/addresses.ts'
import { deleteTombstone, lockUri, undoneKey } from '../../../domain/peers/tombstones.ts'

export type Incoming = {
  activity: Activity
  actor: AccountRow
  /** The signer is not the author: the content is only a hint to fetch the object from its origin. */
  forwarded: boolean
}

export type Handler = (ctx: Context, incoming: Incoming) => Promise<void>

/** Objects of one activity, such as the votes for several options of a poll. */
const MAX_OBJECTS = 32

/** The activity once for each of its objects, as if it had only this one. */
export const splitByObject = (incoming: Incoming): Incoming[] =>
  incoming.activity.objects.length < 2
    ? [incoming]
    : incoming.activity.objects
        .slice(0, MAX_OBJECTS)
        .map((object) => ({ ...incoming, activity: withObject(incoming.activity, object) }))

/** Runs the handler for each object of an activity. */
export const forEachObject =
  (handle: Handler): Handler =>
  async (ctx, incoming) => {
    for (const one of splitByObject(incoming)) await handle(ctx, one)
  }

/** The embedded object, if it is on the sender's host. Otherwise null, and the object must be fetched. */
export function trustedObject({ activity, actor, forwarded }: Incoming): Json | null {
  const { objectId } = activity
  return !forwarded && objectId !== null && isSameHost(objectId, actor.uri ?? '') ? asObject(activity.object) : null
}

export async function findLocalTarget(ctx: Context, uri: string | null): Promise<AccountRow | null> {
  const parsed = uri === null ? null : parseLocalUrl(ctx, uri)
  if (!parsed || parsed.statusId !== null) return null
  const account = await findLocal(ctx, parsed.username)
  return account && account.suspended_at === null ? account : null
}

const COUNTED_WHILE_SUSPENDED = ['Delete', 'Reject', 'Undo', 'Update']

/**
 * A suspended account may be restored, so its posts and follows are still deleted, changed and ended. Changes of the account
 * itself do not count, as its document is read again then.
 */
export const countsWhileSuspended = ({ type, actor, objectId }: Activity, signerUri: string): boolean =>
  COUNTED_WHILE_SUSPENDED.includes(type) && actor === signerUri && objectId !== signerUri

/**
 * Runs `work` in a transaction that excludes the Undo of the activity. Skips it when the Undo arrived first, and returns false.
 * An early Undo cancels one activity: if the same activity arrives again, `work` runs.
 */
export async function unlessUndone(
  ctx: Context,
  { activity, actor }: Incoming,
  work: (tx: Context) => Promise<unknown>,
): Promise<boolean> {
  const key = activity.id === null ? null : undoneKey(actor.uri ?? '', activity.id)
  return shareTransaction(ctx, async (tx) => {
    if (key !== null) {
      const [, undone] = await Promise.all([lockUri(tx, key), deleteTombstone(tx, key)])
      if (undone) return false
    }
    await work(tx)
    return true
  })
}
