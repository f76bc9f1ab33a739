import type { Context } from '../../context.ts'
import type { StatusPins } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { isPublicOrUnlisted } from './visibility.ts'

export const MAX_PINNED_STATUSES = 5

/** Pins a status of a local account. Returns whether it was not pinned before. Throws Invalid above the limit. */
export async function insertPin(tx: Context, accountId: string, statusId: string): Promise<boolean> {
  // One pin per account at a time: two concurrent requests must not both pass the limit.
  await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
  const pins = await tx.db.many<Pick<StatusPins, 'status_id'>>(
    sql`select status_id from status_pins where account_id = ${accountId}`,
  )
  if (pins.some(({ status_id }) => status_id === statusId)) return false
  if (pins.length >= MAX_PINNED_STATUSES) throw invalidRequest('pin_limit')
  const added = await tx.db.run(sql`
    insert into status_pins (account_id, status_id) select ${accountId}, id from statuses where id = ${statusId} on conflict do nothing`)
  return added > 0
}

/** Unpins a status of a local or remote account. Returns whether it was pinned. */
export const deletePin = async (ctx: Context, accountId: string, statusId: string): Promise<boolean> =>
  (await ctx.db.run(sql`delete from status_pins where account_id = ${accountId} and status_id = ${statusId}`)) > 0

/** Pins statuses of a remote account, the first one on top. Ignores those that are not its own, or neither public nor unlisted. */
export async function insertRemotePins(ctx: Context, accountId: string, statusIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    insert into status_pins (account_id, status_id)
    select account_id, id from statuses
    where id = any(${statusIds}::bigint[]) and account_id = ${accountId} and reblog_of_id is null and ${isPublicOrUnlisted(sql`visibility`)}
    order by array_position(${statusIds}::bigint[], id) desc
    on conflict do nothing`)
}

/** Replaces the pinned statuses of a remote account. */
export async function replaceRemotePins(ctx: Context, accountId: string, statusIds: readonly string[]): Promise<void> {
  await ctx.db.run(
    sql`delete from status_pins where account_id = ${accountId} and status_id <> all(${statusIds}::bigint[])`,
  )
  await insertRemotePins(ctx, accountId, statusIds)
}
