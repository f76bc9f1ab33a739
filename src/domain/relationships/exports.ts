// Relationships as exports and imports need them: with the handles of the other accounts.
import type { Context } from '../../context.ts'
import type { Accounts, Follows, Mutes } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

type Handle = Pick<Accounts, 'username' | 'domain'>

export type ExportedFollow = Handle & Pick<Follows, 'show_reblogs' | 'notify' | 'languages'>

export const listExportedFollows = (ctx: Context, accountId: string): Promise<ExportedFollow[]> =>
  ctx.db.many<ExportedFollow>(sql`
    select a.username, a.domain, f.show_reblogs, f.notify, f.languages
    from follows f join accounts a on a.id = f.target_account_id where f.account_id = ${accountId} order by f.id`)

export const listExportedBlocks = (ctx: Context, accountId: string): Promise<Handle[]> =>
  ctx.db.many<Handle>(sql`
    select a.username, a.domain from blocks b join accounts a on a.id = b.target_account_id
    where b.account_id = ${accountId} order by b.id`)

export const listExportedMutes = (
  ctx: Context,
  accountId: string,
): Promise<(Handle & Pick<Mutes, 'hide_notifications'>)[]> =>
  ctx.db.many(sql`
    select a.username, a.domain, m.hide_notifications from mutes m join accounts a on a.id = m.target_account_id
    where m.account_id = ${accountId} and (m.expires_at is null or m.expires_at > now()) order by m.id`)

export async function listExportedDomains(ctx: Context, accountId: string): Promise<string[]> {
  const rows = await ctx.db.many<{ domain: string }>(
    sql`select domain from account_domain_blocks where account_id = ${accountId} order by id`,
  )
  return rows.map(({ domain }) => domain)
}

export const countExportedRelationships = (
  ctx: Context,
  accountId: string,
): Promise<{ follows: number; blocks: number; mutes: number; domains: number }> =>
  ctx.db.one(sql`
    select (select count(*)::int from follows where account_id = ${accountId}) as follows,
      (select count(*)::int from blocks where account_id = ${accountId}) as blocks,
      (select count(*)::int from mutes where account_id = ${accountId} and (expires_at is null or expires_at > now())) as mutes,
      (select count(*)::int from account_domain_blocks where account_id = ${accountId}) as domains`)

type Import = { id: string; account_id: string }

/** The targets of relationships whose handles the import does not name. */
export async function listTargetsMissingFrom(
  ctx: Context,
  { id, account_id: accountId }: Import,
  table: 'follows' | 'follow_requests' | 'blocks' | 'mutes',
): Promise<string[]> {
  const { rows } = await ctx.db.raw(
    `select t.target_account_id as id from ${table} t join accounts a on a.id = t.target_account_id
    where t.account_id = $1 and lower(a.username || '@' || coalesce(a.domain, $3)) not in (
      select data ->> 'key' from import_rows where import_id = $2 and data ? 'key')`,
    [accountId, id, ctx.config.localDomain],
  )
  return (rows as { id: string }[]).map((row) => row.id)
}

export async function listDomainsMissingFrom(ctx: Context, { id, account_id: accountId }: Import): Promise<string[]> {
  const rows = await ctx.db.many<{ domain: string }>(sql`
    select domain from account_domain_blocks
    where account_id = ${accountId} and domain not in (select data ->> 'key' from import_rows where import_id = ${id} and data ? 'key')`)
  return rows.map(({ domain }) => domain)
}
