// All accounts that the client knows, by id, and how the viewer relates to them.
import { signal, type Signal } from '@preact/signals'
import type { Account, Relationship } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { changeEntity } from './change.ts'
import { chunksOf } from './chunks.ts'
import { RecentMap } from './recent-map.ts'

const LIMIT = 6_000

/** As many as one request may ask for. */
const BATCH = 40

const accounts = new RecentMap<Signal<Account>>(LIMIT)
const relationships = new RecentMap<Signal<Relationship | null>>(LIMIT)

export function storeAccount(account: Account): Signal<Account> {
  const found = accounts.get(account.id)
  if (!found) return accounts.set(account.id, signal(account))
  found.value = account
  return found
}

export const findAccount = (id: string): Signal<Account> | undefined => accounts.get(id)

export function findAccountByAcct(acct: string): Account | undefined {
  const wanted = acct.toLowerCase()
  for (const { value } of accounts.values()) if (value.acct.toLowerCase() === wanted) return value
  return undefined
}

let wanted = new Set<string>()

/** Null until loaded. Requests of the same moment share one request to the server. */
export function relationshipOf(accountId: string): Signal<Relationship | null> {
  const found = relationships.get(accountId)
  if (found) return found
  const added = relationships.set(accountId, signal<Relationship | null>(null))
  if (wanted.size === 0) setTimeout(() => void loadWanted())
  wanted.add(accountId)
  return added
}

export function storeRelationship(relationship: Relationship): void {
  const found = relationships.get(relationship.id)
  if (found) found.value = relationship
  else relationships.set(relationship.id, signal<Relationship | null>(relationship))
}

/** Applies a change, such as a follow, before the server has confirmed it. Returns a function that undoes it. */
export function changeRelationship(accountId: string, change: Partial<Relationship>): () => void {
  return changeEntity(relationships.get(accountId), change)
}

/** As `changeRelationship`, with all known accounts of a domain. */
export function changeRelationshipsAt(host: string, change: Partial<Relationship>): () => void {
  const undos = [...relationships.entries()]
    .filter(([id]) => accounts.get(id)?.peek().acct.endsWith(`@${host}`))
    .map(([, relationship]) => changeEntity(relationship, change))
  return () => {
    for (const undo of undos) undo()
  }
}

async function loadWanted(): Promise<void> {
  const chunks = chunksOf([...wanted], BATCH)
  wanted = new Set()
  for (const chunk of chunks) {
    try {
      const loaded = await read(
        api.GET('/api/v1/accounts/relationships', { params: { query: { 'id[]': chunk, with_suspended: true } } }),
      )
      for (const each of loaded) storeRelationship(each)
    } catch {
      // The next component that asks tries again.
      for (const id of chunk) relationships.delete(id)
    }
  }
}
