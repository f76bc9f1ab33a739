import { createHash } from 'node:crypto'
import { type Context, perServer } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { withoutPort } from '../server/addresses.ts'
import { type DomainBlockAudience, getSettings } from '../server/settings.ts'
import { cachedRead } from '../../lib/concurrency.ts'
import { NotFound, Unauthorized } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { lruCache } from '../../lib/lru-cache.ts'

type DomainPolicy = {
  allowed: boolean
  silenced: boolean
  rejectMedia: boolean
  rejectReports: boolean
  /** An administrator stopped deliveries to this host. */
  stopped: boolean
}

/** Dropped when settings change, and after a minute at the latest. */
const policies = perServer((ctx) => {
  // The cache holds promises, so that a policy dropped while it is being read is not stored afterwards.
  const cache = lruCache<string, Promise<DomainPolicy>>({ max: 5000, ttl: 60_000 })
  ctx.changes.on('setting', () => cache.clear())
  return cache
})

/** A rule for a domain applies to its subdomains too, and to names that end with a dot, which the DNS takes for the same. */
export function domainPolicy(ctx: Context, host: string): Promise<DomainPolicy> {
  const domain = host.toLowerCase().replace(/\.(?=$|:)/, '')
  return cachedRead(policies(ctx), domain, () => readPolicy(ctx, domain))
}

async function readPolicy(ctx: Context, domain: string): Promise<DomainPolicy> {
  const names = parentDomains(domain)
  const row = await ctx.db.one<{
    suspended: boolean
    silenced: boolean
    reject_media: boolean
    reject_reports: boolean
    listed: boolean
    stopped: boolean
  }>(sql`
    select coalesce(bool_or(severity = 'suspend'), false) as suspended, coalesce(bool_or(severity = 'silence'), false) as silenced,
      coalesce(bool_or(reject_media), false) as reject_media, coalesce(bool_or(reject_reports), false) as reject_reports,
      exists (select from domain_allows where domain = any(${names}::text[])) as listed,
      exists (select from peers where domain = ${domain} and stopped_at is not null) as stopped
    from domain_blocks where domain = any(${names}::text[])`)
  return {
    allowed: !row.suspended && (!ctx.config.limitedFederation || row.listed),
    silenced: row.silenced,
    rejectMedia: row.reject_media,
    rejectReports: row.reject_reports,
    stopped: row.stopped,
  }
}

export async function isDomainAllowed(ctx: Context, host: string): Promise<boolean> {
  return (await domainPolicy(ctx, host)).allowed
}

/** For `a.b.example`: itself, `b.example` and `example`; itself also without its port. */
export function parentDomains(domain: string): string[] {
  const labels = withoutPort(domain).split('.')
  return [...new Set([domain, ...labels.map((_, i) => labels.slice(i).join('.'))])]
}

/**
 * The known domains that rules for `domains` cover, each with the closest rule: these domains and their subdomains, with any
 * port. Ports occur only when several servers are tested on one machine.
 */
export async function listCovered(
  ctx: Context,
  domains: readonly string[],
): Promise<{ domain: string; rule: string }[]> {
  return ctx.db.many<{ domain: string; rule: string }>(sql`
    select distinct on (known.domain) known.domain, rule from (
      select p.domain, string_to_array(regexp_replace(p.domain, ':[0-9]+$', ''), '.') as labels from peers p
      union select d, array[d] from unnest(${domains}::text[]) d
    ) known
    cross join lateral (
      select known.domain as rule
      union all select array_to_string(known.labels[i:], '.') from generate_series(1, cardinality(known.labels)) i
    ) rules
    where rule = any(${domains}::text[]) order by known.domain, length(rule) desc`)
}

/** The domain itself, and the known domains that a rule for it covers. */
export const listDomainsUnder = async (ctx: Context, domain: string): Promise<string[]> =>
  (await listCovered(ctx, [domain])).map((row) => row.domain)

/** SHA-256, hex. Readers who know the domain of an obfuscated block recognise it by this. */
export const domainDigest = (domain: string): string => createHash('sha256').update(domain).digest('hex')

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
    digest: domainDigest(row.domain),
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
