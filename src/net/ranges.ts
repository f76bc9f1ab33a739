import ipaddr from 'ipaddr.js'
import { BlockList } from 'node:net'

/**
 * An address in its shortest form, without a zone; an IPv4-mapped IPv6 address as IPv4. Null for other text, such as what a
 * proxy may write instead ("unknown", a port).
 */
export function plainAddress(text: string): string | null {
  const address = text.trim().split('%', 1)[0] ?? ''
  // The library also reads 127.1 and 0x7f.0.0.1.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).toString()
  return ipaddr.IPv6.isValid(address) ? ipaddr.process(address).toString() : null
}

/** An address or CIDR range, in the form of PostgreSQL's cidr: `192.0.2.0/24`, without host bits. Null for other text. */
export function plainRange(text: string): string | null {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const plain = address.includes('%') ? null : plainAddress(address)
  if (plain === null || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null
  const isIpv6 = plain.includes(':')
  // The range of a mapped address counts its bits from the beginning of the IPv6 address.
  const offset = !isIpv6 && address.includes(':') ? 96 : 0
  const width = isIpv6 ? 128 : 32
  const prefix = bits === undefined ? width : Number(bits) - offset
  if (prefix < 0 || prefix > width) return null
  const network = isIpv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${prefix}`)
    : ipaddr.IPv4.networkAddressFromCIDR(`${plain}/${prefix}`)
  return `${network.toString()}/${prefix}`
}

/** `ranges`: as `plainRange` returns them. The function takes a plain address. */
export function rangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')
