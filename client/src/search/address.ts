// Addresses instead of words: the server finds what is there, on other servers, too.
import { api, read } from '../api/client.ts'
import { storeAccount } from '../state/accounts.ts'
import { storeStatus } from '../state/statuses.ts'
import { statusPath } from '../statuses/links.ts'
import { accountPath } from '../ui/account-line.tsx'

export const isAddress = (query: string): boolean => /^https?:\/\/\S+$/i.test(query.trim())

/** `@user@host`: the server may have to ask the other one. */
export const isHandle = (query: string): boolean => /^@?[\w.-]+@[^\s@]+[.:][^\s@]+$/u.test(query.trim())

/** The path of the profile, post or collection at an address; null where there is none. */
export async function pathOfAddress(address: string): Promise<string | null> {
  const query = { q: address.trim(), resolve: true, limit: 1 }
  const found = await read(api.GET('/api/v2/search', { params: { query } }))
  const [account] = found.accounts
  const [status] = found.statuses
  const [collection] = found.collections
  if (account) {
    storeAccount(account)
    return accountPath(account)
  }
  if (status) {
    storeStatus(status)
    return statusPath(status)
  }
  return collection ? `/collections/${collection.id}` : null
}
