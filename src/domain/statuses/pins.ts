import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isPublicOrUnlisted } from './visibility.ts'

/** Pins posts of an account of another server, as that server says; what is not its own or not open to all is left out. */
export async function feature(ctx: Context, accountId: string, statusIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    insert into status_pins (account_id, status_id)
    select account_id, id from statuses
    where id = any(${statusIds}::bigint[]) and account_id = ${accountId} and reblog_of_id is null and ${isPublicOrUnlisted(sql`visibility`)}
    order by array_position(${statusIds}::bigint[], id) desc
    on conflict do nothing`)
}

/** Unpins a post of an account of another server. */
export async function unfeature(ctx: Context, accountId: string, statusId: string): Promise<void> {
  await ctx.db.run(sql`delete from status_pins where account_id = ${accountId} and status_id = ${statusId}`)
}

/** Makes these the pinned posts of an account of another server, and no others. */
export async function replaceFeatured(ctx: Context, accountId: string, statusIds: readonly string[]): Promise<void> {
  await ctx.db.run(
    sql`delete from status_pins where account_id = ${accountId} and status_id <> all(${statusIds}::bigint[])`,
  )
  await feature(ctx, accountId, statusIds)
}
