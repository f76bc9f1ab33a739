import { parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { searchAccounts, type AccountSearch } from '../../domain/accounts/search.ts'
import { refreshForViewer, resolveHandle } from './resolve-account.ts'

/** As searchAccounts. With `resolve`, it fetches an unknown handle from its server first. */
export async function searchAndResolveAccounts(
  ctx: Context,
  search: AccountSearch & { resolve?: boolean },
): Promise<string[]> {
  const account =
    search.resolve && !search.offset && parseHandle(search.q)?.domain ? await resolveHandle(ctx, search.q) : null
  if (account) await refreshForViewer(ctx, account)
  // The handle of the account may differ from the one in the query.
  return searchAccounts(ctx, account?.domain ? { ...search, q: `@${account.username}@${account.domain}` } : search)
}
