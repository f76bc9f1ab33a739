import { Resolver } from 'node:dns/promises'
import { plainAddress } from './ranges.ts'

export type MailServer = { host: string; addresses: string[] }

const MAX_HOSTS = 10
const MAX_ADDRESSES = 20
/** Milliseconds for all look-ups of a domain together, so that a slow name server does not hold up a sign-up. */
const DEADLINE_MS = 2500
/** Names that have no mail servers in the DNS (RFC 6761). */
const SPECIAL = /(?:^|\.)(?:localhost|test|invalid)$/

/**
 * The hosts that receive mail for a domain (ASCII): those of its MX records, or else the domain itself (RFC 5321, 5.1). Never
 * throws: what is not known in time is left out. `nameServers`: those of the system when empty.
 */
export async function findMailServers(domain: string, nameServers: readonly string[] = []): Promise<MailServer[]> {
  if (SPECIAL.test(domain) && nameServers.length === 0) return []
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const timer = setTimeout(() => resolver.cancel(), DEADLINE_MS)
  try {
    const records = await quietly(resolver.resolveMx(domain))
    const hosts = records
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
      .filter((host) => host !== '' && host.length <= 253)
    const distinct = [...new Set(hosts.length > 0 ? hosts : [domain])].slice(0, MAX_HOSTS)
    return await Promise.all(distinct.map(async (host) => ({ host, addresses: await addressesOf(resolver, host) })))
  } finally {
    clearTimeout(timer)
  }
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  const found = await Promise.all([quietly(resolver.resolve4(host)), quietly(resolver.resolve6(host))])
  return found
    .flat()
    .flatMap((address) => plainAddress(address) ?? [])
    .slice(0, MAX_ADDRESSES)
}

const quietly = <T>(lookUp: Promise<T[]>): Promise<T[]> => lookUp.catch(() => [])
