import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { invalidField } from '../../lib/errors.ts'
import { isServerHost } from '../../lib/http-url.ts'
import { isLocalDomain } from '../server/addresses.ts'

/** The form in which a domain is stored. Throws Invalid for text that is no host of a URL, and for this server's own domains. */
export function parseDomain(ctx: Context, text: string): string {
  const domain = normaliseDomain(text.trim().replace(/^@/, ''))
  if (domain === null) throw invalidField('domain', 'domain_invalid')
  if (isLocalDomain(ctx, domain)) throw invalidField('domain', 'domain_own')
  return domain
}

/** As parseDomain. Throws Invalid also for a name that no server can have, which older blocks may still contain. */
export function parseServerDomain(ctx: Context, text: string): string {
  const domain = parseDomain(ctx, text)
  if (!isServerHost(domain)) throw invalidField('domain', 'domain_invalid')
  return domain
}
