// Domains that this server federates with in limited federation mode.
import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { DomainAllows } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { parentDomains } from '../peers/domain-policy.ts'

export type DomainAllowRow = Pick<DomainAllows, 'id' | 'domain' | 'created_at'>

export async function listDomainAllows(ctx: Context, page: Pagination): Promise<DomainAllowRow[]> {
  const rows = await ctx.db.many<DomainAllowRow>(
    sql`select id, domain, created_at from domain_allows where ${onPage(sql`id`, page)}`,
  )
  return newestFirst(rows, page)
}

/** By domain, for an export. */
export const listAllDomainAllows = (ctx: Context): Promise<DomainAllowRow[]> =>
  ctx.db.many<DomainAllowRow>(sql`select id, domain, created_at from domain_allows order by domain`)

/** Throws NotFound. */
export async function getDomainAllow(ctx: Context, id: string): Promise<DomainAllowRow> {
  const row = await ctx.db.maybe<DomainAllowRow>(sql`select id, domain, created_at from domain_allows where id = ${id}`)
  if (!row) throw new NotFound()
  return row
}

export const findDomainAllow = (ctx: Context, domain: string): Promise<DomainAllowRow | null> =>
  ctx.db.maybe<DomainAllowRow>(sql`select id, domain, created_at from domain_allows where domain = ${domain}`)

/** Whether an entry for the domain, or for a parent of it, allows it. */
export const isListed = async (ctx: Context, domain: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`select from domain_allows where domain = any(${parentDomains(domain)}::text[]) limit 1`)) !==
  null

/** Returns those that are new. */
export const insertDomainAllows = (tx: Context, domains: readonly string[]): Promise<DomainAllowRow[]> =>
  tx.db.many<DomainAllowRow>(sql`
    insert into domain_allows (domain) select domain from unnest(${domains}::text[]) domain
    on conflict do nothing returning id, domain, created_at`)

export async function deleteDomainAllow(tx: Context, id: string): Promise<boolean> {
  return (await tx.db.run(sql`delete from domain_allows where id = ${id}`)) > 0
}
