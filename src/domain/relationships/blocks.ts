import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import type { AccountDomainBlocks, Blocks } from '../../db/schema.ts'

/** Null when the block existed. `uri` is the id of a remote account's Block activity: the last one, which its Undo may name. */
export async function insertBlock(
  tx: Context,
  block: { accountId: string; targetAccountId: string; uri?: string | null },
): Promise<string | null> {
  const row = await tx.db.maybe<{ id: string; inserted: boolean }>(sql`
    insert into blocks (account_id, target_account_id, uri) values (${block.accountId}, ${block.targetAccountId}, ${block.uri ?? null})
    on conflict (account_id, target_account_id) do update set uri = excluded.uri where excluded.uri is not null
    returning id, xmax = 0 as inserted`)
  return row?.inserted ? row.id : null
}

export async function deleteBlock(tx: Context, accountId: string, targetAccountId: string): Promise<string | null> {
  const row = await tx.db.maybe<{ id: string }>(sql`
    delete from blocks where account_id = ${accountId} and target_account_id = ${targetAccountId} returning id`)
  return row?.id ?? null
}

export async function findBlockers(ctx: Context, targetAccountId: string): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Blocks, 'account_id'>>(
    sql`select account_id from blocks where target_account_id = ${targetAccountId}`,
  )
  return rows.map(({ account_id }) => account_id)
}

/** A mute without `expiresAt` does not expire. */
export async function upsertMute(
  tx: Context,
  mute: { accountId: string; targetAccountId: string; notifications: boolean; expiresAt: Date | null },
): Promise<void> {
  await tx.db.run(sql`
    insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
    values (${mute.accountId}, ${mute.targetAccountId}, ${mute.notifications}, ${mute.expiresAt})
    on conflict (account_id, target_account_id) do update set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at`)
}

export async function deleteMute(tx: Context, accountId: string, targetAccountId: string): Promise<boolean> {
  const deleted = await tx.db.run(
    sql`delete from mutes where account_id = ${accountId} and target_account_id = ${targetAccountId}`,
  )
  return deleted > 0
}

export async function deleteExpiredMutes(ctx: Context): Promise<void> {
  await ctx.db.run(sql`delete from mutes where expires_at < now()`)
}

/** `id` is the cursor. */
export type DomainBlockRow = Pick<AccountDomainBlocks, 'id' | 'domain'>

export async function listDomainBlocks(ctx: Context, accountId: string, page: Pagination): Promise<DomainBlockRow[]> {
  const rows = await ctx.db.many<DomainBlockRow>(sql`
    select id, domain from account_domain_blocks where account_id = ${accountId} and ${onPage(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/** Follow requests do not count. */
export type FollowLosses = { following: number; followers: number }

export async function previewDomainBlock(ctx: Context, accountId: string, domain: string): Promise<FollowLosses> {
  return ctx.db.one<FollowLosses>(sql`
    select (select count(*)::int from follows f join accounts a on a.id = f.target_account_id where f.account_id = ${accountId} and a.domain = ${domain}) as following,
      (select count(*)::int from follows f join accounts a on a.id = f.account_id where f.target_account_id = ${accountId} and a.domain = ${domain}) as followers`)
}

export async function insertDomainBlock(tx: Context, accountId: string, domain: string): Promise<boolean> {
  const inserted = await tx.db.run(sql`
    insert into account_domain_blocks (account_id, domain) values (${accountId}, ${domain}) on conflict do nothing`)
  return inserted > 0
}

export async function deleteDomainBlock(tx: Context, accountId: string, domain: string): Promise<boolean> {
  const deleted = await tx.db.run(
    sql`delete from account_domain_blocks where account_id = ${accountId} and domain = ${domain}`,
  )
  return deleted > 0
}
