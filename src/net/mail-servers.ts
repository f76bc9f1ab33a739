import { Resolver } from 'node:dns/promises'
import { plainAddress } from './ranges.ts'

export type MailServer = { host: string; addresses: string[] }
/** `isUnreachable`: the DNS says that no host receives the domain's mail. False while that is not known. */
type MailServers = { servers: MailServer[]; isUnreachable: boolean }

const MAX_HOSTS = 10
const MAX_ADDRESSES = 20
/** Milliseconds for all look-ups of a domain together, so that a slow name server does not hold up a sign-up. */
const DEADLINE_MS = 2000
/** Names that have no mail servers in the DNS (RFC 6761). */
const SPECIAL = /(?:^|\.)(?:localhost|test|invalid)$/

/** Answers that say that there is no such name, or no record of the kind. After any other error, nothing is known. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * The hosts that receive mail for a domain (ASCII): those of its MX records, or else the domain itself (RFC 5321, 5.1), unless an
 * empty MX record says that there are none (RFC 7505). Never throws: what is not known in time is left out. `nameServers`: those
 * of the system when empty.
 */
export async function findMailServers(domain: string, nameServers: readonly string[]): Promise<MailServers> {
  if (SPECIAL.test(domain) && nameServers.length === 0) return { servers: [], isUnreachable: false }
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const timer = setTimeout(() => resolver.cancel(), DEADLINE_MS)
  try {
    const records = await recordsOf(resolver.resolveMx(domain))
    const hosts = (records ?? [])
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
      .filter((host) => host !== '' && host.length <= 253)
    if (records && records.length > 0 && hosts.length === 0) return { servers: [], isUnreachable: true }
    const distinct = [...new Set(hosts.length > 0 ? hosts : [domain])].slice(0, MAX_HOSTS)
    const found = await Promise.all(distinct.map((host) => findAddresses(resolver, host)))
    return {
      servers: found.map(({ host, addresses }) => ({ host, addresses })),
      isUnreachable: records !== null && found.every(({ addresses, isKnown }) => isKnown && addresses.length === 0),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** `isKnown`: there are no other addresses. */
async function findAddresses(resolver: Resolver, host: string): Promise<MailServer & { isKnown: boolean }> {
  const found = await Promise.all([recordsOf(resolver.resolve4(host)), recordsOf(resolver.resolve6(host))])
  const addresses = found
    .flatMap((records) => records ?? [])
    .flatMap((address) => plainAddress(address) ?? [])
    .slice(0, MAX_ADDRESSES)
  return { host, addresses, isKnown: !found.includes(null) }
}

/** Null when the answer is not known. */
const recordsOf = <T>(lookUp: Promise<T[]>): Promise<T[] | null> =>
  lookUp.catch((error: NodeJS.ErrnoException) => (ABSENT.has(error.code ?? '') ? [] : null))
