import { parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { refreshForViewer, resolveHandle } from '../../actions/remote/resolve-account.ts'
import { searchAccounts, type AccountSearch } from '../accounts/search.ts'

/** As searchAccounts. With `resolve`, a whole handle of another server is asked for there, should nobody here know it. */
export async function searchPeople(ctx: Context, search: AccountSearch & { resolve?: boolean }): Promise<string[]> {
  const named =
    search.resolve && !search.offset && parseHandle(search.q)?.domain ? await resolveHandle(ctx, search.q) : null
  if (named) await refreshForViewer(ctx, named)
  // Its server may know it by another handle than the one that was asked for.
  return searchAccounts(ctx, named?.domain ? { ...search, q: `@${named.username}@${named.domain}` } : search)
}
