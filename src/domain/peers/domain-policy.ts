import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import { type Context, perServer } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { type DomainBlockAudience, getSettings } from '../server/settings.ts'
import { NotFound, Unauthorized } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

type DomainPolicy = { allowed: boolean; silenced: boolean; rejectMedia: boolean; rejectReports: boolean }

/** Dropped when settings change, and after a minute at the latest. */
const policies = perServer((ctx) => {
  // The cache holds promises, so that a policy dropped while it is being read is not stored afterwards.
  const cache = new LRUCache<string, Promise<DomainPolicy>>({ max: 5000, ttl: 60_000 })
  ctx.subscribe((message) => {
    if (message.type === 'settings.changed') cache.clear()
  })
  return cache
})

/** A rule for a domain applies to its subdomains too. */
export function domainPolicy(ctx: Context, host: string): Promise<DomainPolicy> {
  const domain = host.toLowerCase()
  const cache = policies(ctx)
  const known = cache.get(domain)
  if (known) return known
  const policy = readPolicy(ctx, domain)
  cache.set(domain, policy)
  policy.catch(() => cache.delete(domain))
  return policy
}

async function readPolicy(ctx: Context, domain: string): Promise<DomainPolicy> {
  const names = parentDomains(domain)
  const row = await ctx.db.one<{
    suspended: boolean
    silenced: boolean
    reject_media: boolean
    reject_reports: boolean
    listed: boolean
  }>(sql`
    select coalesce(bool_or(severity = 'suspend'), false) as suspended, coalesce(bool_or(severity = 'silence'), false) as silenced,
      coalesce(bool_or(reject_media), false) as reject_media, coalesce(bool_or(reject_reports), false) as reject_reports,
      exists (select from domain_allows where domain = any(${names}::text[])) as listed
    from domain_blocks where domain = any(${names}::text[])`)
  return {
    allowed: !row.suspended && (!ctx.config.limitedFederation || row.listed),
    silenced: row.silenced,
    rejectMedia: row.reject_media,
    rejectReports: row.reject_reports,
  }
}

export async function isDomainAllowed(ctx: Context, host: string): Promise<boolean> {
  return (await domainPolicy(ctx, host)).allowed
}

/** a.b.example: itself, b.example, example; with and without its port. */
export function parentDomains(domain: string): string[] {
  const labels = domain.replace(/:\d+$/, '').split('.')
  return [domain, ...labels.map((_, i) => labels.slice(i).join('.'))]
}

/** Ports only occur on servers that are tested on one machine. */
const withoutPort = (column: Sql): Sql => sql`regexp_replace(${column}, ':[0-9]+$', '')`

/** Whether a rule for `domain` covers the domain of a column: the same one or a subdomain, with any port. */
const coversDomain = (domain: string, column: Sql): Sql => sql`
  (${column} = ${domain} or ${withoutPort(column)} = ${domain} or right(${withoutPort(column)}, length(${domain}) + 1) = '.' || ${domain})`

/** The domain itself, and the known domains that a rule for it covers. */
export async function listDomainsUnder(ctx: Context, domain: string): Promise<string[]> {
  const rows = await ctx.db.many<{ domain: string }>(
    sql`select p.domain from peers p where ${coversDomain(domain, sql`p.domain`)}`,
  )
  return [...new Set([domain, ...rows.map((row) => row.domain)])]
}

/** `digest` (SHA-256, hex) lets readers who know the domain recognise it. */
type ShownDomainBlock = { domain: string; digest: string; severity: 'silence' | 'suspend'; comment?: string }

/**
 * The severest first. Throws NotFound when administrators do not publish the list, and Unauthorized when only users may
 * read it.
 */
export async function listShownDomainBlocks(ctx: Context, isUser: boolean): Promise<ShownDomainBlock[]> {
  const { show_domain_blocks: audience, show_domain_blocks_rationale: rationale } = await getSettings(ctx)
  if (audience === 'disabled') throw new NotFound()
  if (!mayRead(audience, isUser)) throw new Unauthorized(message('method_requires_user'))
  const rows = await ctx.db.many<{
    domain: string
    severity: 'silence' | 'suspend'
    obfuscate: boolean
    public_comment: string | null
  }>(sql`
    select domain, severity, obfuscate, public_comment from domain_blocks
    where severity in ('silence', 'suspend') order by severity = 'silence', domain`)
  return rows.map((row) => ({
    domain: row.obfuscate ? obfuscated(row.domain) : row.domain,
    digest: createHash('sha256').update(row.domain).digest('hex'),
    severity: row.severity,
    ...(mayRead(rationale, isUser) ? { comment: row.public_comment ?? '' } : {}),
  }))
}

const mayRead = (audience: DomainBlockAudience, isUser: boolean): boolean =>
  audience === 'all' || (audience === 'users' && isUser)

/** Replaces the middle half by stars; dots stay. */
function obfuscated(domain: string): string {
  const visible = Math.floor(domain.length / 4)
  return [...domain]
    .map((character, i) => (i > visible && i < domain.length - visible && character !== '.' ? '*' : character))
    .join('')
}
