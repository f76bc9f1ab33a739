// Finds the account of an address such as `/@user@host`: among the known ones, on this server, then on its own server.
import { signal, type Signal } from '@preact/signals'
import { api, ApiError, isGone, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { findAccountByAcct, relationshipOf, storeAccount, storeRelationship } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'

type Lookup = { id: string | null; error: unknown }

const lookups = new Map<string, Signal<Lookup>>()

/** Shows what is known at once; `refreshLookup` asks the server. */
export function lookupOf(acct: string): Signal<Lookup> {
  const key = acct.toLowerCase()
  let found = lookups.get(key)
  if (!found) {
    found = signal<Lookup>({ id: findAccountByAcct(acct)?.id ?? null, error: null })
    lookups.set(key, found)
  }
  return found
}

/** The account with its numbers, and how it relates to the viewer. */
export async function refreshLookup(acct: string): Promise<void> {
  const lookup = lookupOf(acct)
  lookup.value = { id: lookup.peek().id, error: null }
  try {
    const account = await requestAccount(acct)
    storeAccount(account)
    lookup.value = { id: account.id, error: null }
    if (!isMe(account.id)) await refreshRelationship(account.id)
  } catch (error) {
    lookup.value = { id: isGone(error) ? null : lookup.value.id, error }
  }
}

/** The account may have followed or blocked the viewer since it was loaded. */
async function refreshRelationship(id: string): Promise<void> {
  const relationship = relationshipOf(id)
  const before = relationship.peek()
  // It is being loaded for the first time.
  if (!before) return
  const query = { 'id[]': [id], with_suspended: true }
  const [fresh] = await read(api.GET('/api/v1/accounts/relationships', { params: { query } }))
  // An act that began meanwhile is newer than the answer.
  if (fresh && relationship.peek() === before) storeRelationship(fresh)
}

async function requestAccount(acct: string): Promise<Account> {
  try {
    return await read(api.GET('/api/v1/accounts/lookup', { params: { query: { acct } } }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404 || !acct.includes('@')) throw error
    const query = { q: `@${acct}`, resolve: true, limit: 1 }
    const [found] = await read(api.GET('/api/v1/accounts/search', { params: { query } }))
    if (found?.acct.toLowerCase() !== acct.toLowerCase()) throw error
    return found
  }
}
