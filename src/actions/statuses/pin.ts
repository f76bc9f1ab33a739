import type { Context } from '../../context.ts'
import { findRemotelyFollowed } from '../../domain/statuses/audience.ts'
import type { StatusRow } from '../../domain/statuses/find.ts'
import { deletePin, insertPin } from '../../domain/statuses/pins.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { federate } from '../federate.ts'

/** Pins a status to its author's profile. Throws Invalid for a status that cannot be pinned and above the limit. May run twice. */
export async function pin(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  if (status.reblog_of_id !== null) throw invalidRequest('pin_reblog')
  if (status.account_id !== accountId) throw invalidRequest('pin_foreign')
  if (status.visibility === 'direct') throw invalidRequest('pin_direct')
  await ctx.transaction(async (tx) => {
    if (await insertPin(tx, accountId, status.id)) await federatePin(tx, accountId, status)
  })
}

/** Unpins a status. Returns whether it was pinned. */
export const unpin = (ctx: Context, accountId: string, status: StatusRow): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const deleted = await deletePin(tx, accountId, status.id)
    if (deleted) await federatePin(tx, accountId, status, { undo: true })
    return deleted
  })

/** Tells the servers of followers, but not of private statuses: servers show pinned statuses to everyone. */
async function federatePin(
  tx: Context,
  accountId: string,
  status: StatusRow,
  direction: { undo?: true } = {},
): Promise<void> {
  if (status.visibility === 'private') return
  const followed = await findRemotelyFollowed(tx, [accountId])
  if (followed.has(accountId)) await federate(tx, { activity: 'feature', ...direction, accountId, statusId: status.id })
}
