import type { AccountRow } from '../domain/accounts/find.ts'

/**
 * The address of something that belongs to a remote account, if it may be redirected to: on the account's own server, lest
 * links to us lead anywhere. Null otherwise.
 */
export function ownAddress(account: Pick<AccountRow, 'domain' | 'uri'>, address: string | null): string | null {
  const url = URL.parse(address ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null
  const hosts = [account.domain, URL.parse(account.uri ?? '')?.host]
  return hosts.includes(url.host) ? url.href : null
}
