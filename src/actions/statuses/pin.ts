import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { MAX_PINNED_STATUSES } from '../../domain/server/limits.ts'
import { findRemotelyFollowed } from '../../domain/statuses/audience.ts'
import type { StatusRow } from '../../domain/statuses/find.ts'
import { federate } from '../federate.ts'

/** Pins a status to its author's profile, once. Throws Invalid, saying why, for what may not be pinned or is one too many. */
export async function pin(ctx: Context, accountId: string, status: StatusRow): Promise<void> {
  if (status.reblog_of_id !== null) throw invalidRequest('pin_reblog')
  if (status.account_id !== accountId) throw invalidRequest('pin_foreign')
  if (status.visibility === 'direct') throw invalidRequest('pin_direct')
  await ctx.transaction(async (tx) => {
    // One at a time per person, or two requests at once could both find the last place free.
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
    const pins = await tx.db.many<{ status_id: string }>(
      sql`select status_id from status_pins where account_id = ${accountId}`,
    )
    if (pins.some(({ status_id }) => status_id === status.id)) return
    if (pins.length >= MAX_PINNED_STATUSES) throw invalidRequest('pin_limit')
    const added = await tx.db.run(sql`
      insert into status_pins (account_id, status_id) select ${accountId}, id from statuses where id = ${status.id} on conflict do nothing`)
    if (added > 0) await tell(tx, accountId, status)
  })
}

/** Unpins a status. Gives whether it was pinned. */
export async function unpin(ctx: Context, accountId: string, status: StatusRow): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const gone = await tx.db.run(
      sql`delete from status_pins where account_id = ${accountId} and status_id = ${status.id}`,
    )
    if (gone > 0) await tell(tx, accountId, status, { undo: true })
    return gone > 0
  })
}

/** Followers elsewhere are told; of private posts not, which only followers could read anyway. */
async function tell(tx: Context, accountId: string, status: StatusRow, direction: { undo?: true } = {}): Promise<void> {
  if (status.visibility === 'private') return
  const followed = await findRemotelyFollowed(tx, [accountId])
  if (followed.has(accountId)) await federate(tx, { activity: 'feature', ...direction, accountId, statusId: status.id })
}
