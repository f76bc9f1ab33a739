import ipaddr from 'ipaddr.js'
import { BlockList, isIP } from 'node:net'

/**
 * Outgoing requests may reach ordinary public addresses (IANA special-purpose registries, RFC 6890 and its updates), and those
 * on the allow list (`ALLOWED_PRIVATE_ADDRESSES`), which may be private. The functions take plain IP addresses: of other text,
 * they return false.
 */
export type AddressPolicy = {
  /** Whether the address is public or on the allow list. */
  allows(address: string): boolean
  /** Whether it is on the allow list. */
  isListed(address: string): boolean
  /** Whether the allow list has entries. */
  readonly listsAny: boolean
}

const REFUSED_IPV4 = rangesOf('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the virtual host service inside Azure
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
])

// Only 2000::/3 is global unicast. That excludes ::, ::1, mapped and compatible addresses, NAT64, unique-local, link-local,
// site-local and multicast. These are the exceptions within it.
const GLOBAL_IPV6 = rangesOf('ipv6', ['2000::/3'])
const REFUSED_IPV6 = rangesOf('ipv6', [
  '2001::/23', // Teredo, ORCHID, benchmarking and other protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
])

/** `entries`: addresses or CIDR ranges of both families, which the configuration has checked. */
export function createAddressPolicy(entries: readonly string[]): AddressPolicy {
  const listed = { 4: new BlockList(), 6: new BlockList() }
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    if (isIP(address) === 4) listed[4].addSubnet(address, Number(bits ?? 32), 'ipv4')
    else listed[6].addSubnet(address, Number(bits ?? 128), 'ipv6')
  }

  function allowsIpv4(address: string): boolean {
    return !REFUSED_IPV4.check(address, 'ipv4') || listed[4].check(address, 'ipv4')
  }
  function isListedIpv6(address: string): boolean {
    const embedded = embeddedIpv4(address)
    if (embedded === null) return listed[6].check(address, 'ipv6')
    // A range such as 64:ff9b::/96 may be listed for a NAT64 network, but must not bypass the IPv4 rules.
    if (embedded.mapped && listed[4].check(embedded.address, 'ipv4')) return true
    return listed[6].check(address, 'ipv6') && allowsIpv4(embedded.address)
  }

  return {
    listsAny: entries.length > 0,
    isListed(address) {
      const family = isIP(address)
      if (family === 0 || address.includes('%')) return false
      return family === 4 ? listed[4].check(address, 'ipv4') : isListedIpv6(address)
    },
    allows(address) {
      const family = isIP(address)
      if (family === 0 || address.includes('%')) return false
      if (family === 4) return allowsIpv4(address)
      return isListedIpv6(address) || (GLOBAL_IPV6.check(address, 'ipv6') && !REFUSED_IPV6.check(address, 'ipv6'))
    },
  }
}

/**
 * Returns the IPv4 address within a mapped (::ffff:a.b.c.d), compatible (::a.b.c.d), translated (::ffff:0:a.b.c.d), NAT64
 * (64:ff9b::/96 and 64:ff9b:1::/48), 6to4 (2002::/16) or Teredo (2001::/32) address.
 */
export function embeddedIpv4(address: string): { address: string; mapped: boolean } | null {
  const words = ipv6Words(address)
  if (words === null) return null
  const beginsWithZeros = (count: number) => words.slice(0, count).every((word) => word === 0)
  const found = (high: number, low: number) => ({ address: dotted(high, low), mapped: false })
  if (beginsWithZeros(5) && words[5] === 0xffff) return { ...found(words[6]!, words[7]!), mapped: true }
  if (beginsWithZeros(6) && (words[6] !== 0 || words[7]! > 1)) return found(words[6]!, words[7]!)
  if (beginsWithZeros(4) && words[4] === 0xffff && words[5] === 0) return found(words[6]!, words[7]!)
  if (words[0] === 0x64 && words[1] === 0xff9b) return found(words[6]!, words[7]!)
  if (words[0] === 0x2002) return found(words[1]!, words[2]!)
  if (words[0] === 0x2001 && words[1] === 0) return found(words[6]! ^ 0xffff, words[7]! ^ 0xffff)
  return null
}

const ipv6Words = (address: string): number[] | null =>
  isIP(address) !== 6 || address.includes('%') ? null : ipaddr.IPv6.parse(address).parts

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function rangesOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string]
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
