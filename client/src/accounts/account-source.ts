import type { Page } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import type { PagedSource } from '../ui/paged-list.tsx'

/** A list of accounts, of which each page is stored among the known accounts. */
export function accountSource(
  key: string,
  loadPage: (query: Record<string, string>) => Promise<Page<Account>>,
): PagedSource<Account> {
  return {
    key,
    keyOf: ({ id }) => id,
    async load(query) {
      const page = await loadPage(query)
      for (const account of page.items) storeAccount(account)
      return page
    },
  }
}
