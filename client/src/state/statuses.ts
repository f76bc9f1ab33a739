// All statuses that the client knows, by id, so that every place that shows one shows the same.
import { signal, type Signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import { storeAccount } from './accounts.ts'

/** Null once the status was deleted. */
export type StatusSignal = Signal<Status | null>

/** Components hold the signals that they show, so the oldest ones may leave. */
const LIMIT = 6_000

const known = new Map<string, StatusSignal>()

/** Stores a status with the status that it boosts or quotes, and their accounts. */
export function storeStatus(status: Status): StatusSignal {
  storeAccount(status.account)
  if (status.reblog) storeStatus(status.reblog as Status)
  const quoted = quotedStatus(status)
  if (quoted) storeStatus(quoted)
  const found = known.get(status.id)
  if (found) {
    found.value = status
    return found
  }
  if (known.size >= LIMIT) for (const id of [...known.keys()].slice(0, LIMIT / 10)) known.delete(id)
  const added = signal<Status | null>(status)
  known.set(status.id, added)
  return added
}

export function quotedStatus(status: Status): Status | null {
  const { quote } = status
  return quote && 'quoted_status' in quote ? ((quote.quoted_status as Status | null | undefined) ?? null) : null
}

export const findStatus = (id: string): StatusSignal | undefined => known.get(id)

/** Applies a change, such as a favourite, before the server has confirmed it. Returns a function that undoes it. */
export function changeStatus(id: string, change: Partial<Status>): () => void {
  const found = known.get(id)
  const before = found?.value
  if (!found || !before) return () => {}
  found.value = { ...before, ...change }
  return () => {
    if (found.value) found.value = { ...found.value, ...pick(before, Object.keys(change) as (keyof Status)[]) }
  }
}

export function removeStatus(id: string): void {
  const found = known.get(id)
  if (found) found.value = null
}

function pick<T extends object>(from: T, keys: (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<T>
}
