// All statuses that the client knows, by id, so that every place that shows one shows the same.
import { signal, type Signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import { storeAccount } from './accounts.ts'
import { changeEntity } from './change.ts'
import { RecentMap } from './recent-map.ts'

/** Null once the status was deleted. */
export type StatusSignal = Signal<Status | null>

const LIMIT = 6_000

const known = new RecentMap<StatusSignal>(LIMIT)

/** Stores a status with the status that it boosts or quotes, and their accounts. */
export function storeStatus(status: Status): StatusSignal {
  storeAccount(status.account)
  if (status.reblog) storeStatus(status.reblog as Status)
  const quoted = quotedStatus(status)
  if (quoted) storeStatus(quoted)
  const found = known.get(status.id)
  if (!found) return known.set(status.id, signal<Status | null>(status))
  found.value = status
  return found
}

export function quotedStatus(status: Status): Status | null {
  const { quote } = status
  return quote && 'quoted_status' in quote ? ((quote.quoted_status as Status | null | undefined) ?? null) : null
}

export const findStatus = (id: string): StatusSignal | undefined => known.get(id)

/** Applies a change, such as a favourite, before the server has confirmed it. Returns a function that undoes it. */
export function changeStatus(id: string, change: Partial<Status>): () => void {
  return changeEntity(known.get(id), change)
}

export function removeStatus(id: string): void {
  const found = known.get(id)
  if (found) found.value = null
}
