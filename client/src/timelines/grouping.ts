// Turns loaded statuses into items of a timeline: boosts of one status become one item, and posts in which an author goes on
// with their own post become a thread.
import type { Status } from '../api/entities.ts'
import { oldestFirst } from '../api/ids.ts'

export type StatusItem = {
  kind: 'status'
  /** The id of the boost, or of the status. It is the item's key. */
  id: string
  /** The id of the status that is shown. */
  shown: string
  /** Boosts of the status, newest first, the item's own included. */
  boosts: string[]
  /** The author's later posts of the thread, in reading order. */
  thread: string[]
}

/** `gap`: statuses between the neighbours that are not loaded. */
export type GapItem = { kind: 'gap'; newerThan: string; olderThan: string }

export type TimelineItem = StatusItem | GapItem

/** A boost joins another boost of the same status at most this many items away. */
const NEAR = 60

/** `statuses`: newest first. Returns the items that are new; boosts of statuses among `near` join those items in place. */
export function groupStatuses(statuses: readonly Status[], near: readonly TimelineItem[] = []): StatusItem[] {
  const shown = new Map<string, StatusItem>()
  for (const item of near.slice(0, NEAR)) if (item.kind === 'status') shown.set(item.shown, item)
  const items: StatusItem[] = []
  for (const status of statuses) {
    const target = status.reblog?.id ?? status.id
    const same = shown.get(target)
    if (same) {
      if (status.reblog && !same.boosts.includes(status.id)) same.boosts = [...same.boosts, status.id]
      continue
    }
    const item: StatusItem = {
      kind: 'status',
      id: status.id,
      shown: target,
      boosts: status.reblog ? [status.id] : [],
      thread: [],
    }
    shown.set(target, item)
    items.push(item)
  }
  return joinThreads(items, new Map(statuses.map((status) => [status.id, status])))
}

/** Puts a post and its author's replies to it into one item, at the place of the newest. */
function joinThreads(items: StatusItem[], statuses: ReadonlyMap<string, Status>): StatusItem[] {
  const joined = new Set<StatusItem>()
  const byId = new Map(items.map((item) => [item.id, item]))
  for (const item of items) {
    if (joined.has(item)) continue
    const chain = [item.id]
    for (let status = statuses.get(item.id); status;) {
      const before = ownParent(status, statuses)
      const parent = before && byId.get(before.id)
      if (!before || !parent || joined.has(parent)) break
      joined.add(parent)
      chain.unshift(before.id)
      status = before
    }
    if (chain.length === 1) continue
    // The item keeps its key, so the list does not move.
    item.shown = chain[0] ?? item.shown
    item.thread = chain.slice(1)
  }
  return items.filter((item) => !joined.has(item))
}

function ownParent(status: Status, statuses: ReadonlyMap<string, Status>): Status | null {
  if (status.reblog || status.in_reply_to_account_id !== status.account.id) return null
  const parent = statuses.get(status.in_reply_to_id ?? '')
  return parent && !parent.reblog ? parent : null
}

export const keyOfItem = (item: TimelineItem): string => (item.kind === 'gap' ? `gap ${item.olderThan}` : item.id)

/** `gaps`: ids of statuses below which statuses are missing. */
export function withGaps(items: readonly TimelineItem[], gaps: Iterable<string>): TimelineItem[] {
  const all = [...items]
  for (const id of gaps) {
    const at = all.findIndex((item) => item.kind === 'status' && oldestFirst(item, { id }) < 0)
    const older = all[at]
    if (older?.kind === 'status') all.splice(at, 0, { kind: 'gap', newerThan: older.id, olderThan: id })
  }
  return all
}

/** After the deletion of a status or boost. The item stays when others boosted the status, too, or its author went on. */
export function withoutStatus(item: TimelineItem, id: string): TimelineItem[] {
  if (item.kind === 'gap') return [item]
  const boosts = item.boosts.filter((each) => each !== id)
  const isBoost = boosts.length < item.boosts.length
  const isLastBoost = isBoost && boosts.length === 0 && item.id !== item.shown
  if ((item.shown === id || isLastBoost) && item.thread.length === 0) return []
  return [isBoost ? { ...item, boosts } : item]
}
