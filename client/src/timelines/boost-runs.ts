// Boosts that follow each other are one row of the timeline, to be leafed through, so that they do not bury what people write.
import { chunksOf } from '../state/chunks.ts'
import { keyOfItem, type StatusItem, type TimelineItem } from './grouping.ts'

/** `key` stays when older boosts join. */
export type BoostRun = { kind: 'boosts'; key: string; items: StatusItem[] }

export type TimelineRow = TimelineItem | BoostRun

/** By the id of an item: the key of the run that it is in, or null for an item that has a row to itself. */
export type Layout = Map<string, string | null>

/** How many boosts make a run, and how many it has at most. */
const FEWEST = 3
const MOST = 12

const isBoost = (item: TimelineItem | undefined): item is StatusItem =>
  item?.kind === 'status' && item.boosts.length > 0 && item.id !== item.shown && item.thread.length === 0

/** Items that `layout` has stay where they are, so that nothing moves that is being read. Brings it up to date. */
export function rowsWithRuns(items: readonly TimelineItem[], layout: Layout): TimelineRow[] {
  placeNew(items, layout)
  const rows: TimelineRow[] = []
  const used = new Set<string>()
  for (const item of items) {
    const key = item.kind === 'gap' ? null : layout.get(item.id)
    const last = rows.at(-1)
    if (!key || item.kind === 'gap') rows.push(item)
    else if (last?.kind === 'boosts' && last.key === key) last.items.push(item)
    // What came between has divided the run.
    else rows.push(used.has(key) ? item : { kind: 'boosts', key, items: [item] })
    if (key) used.add(key)
  }
  return rows
}

function placeNew(items: readonly TimelineItem[], layout: Layout): void {
  const before = new Map(layout)
  layout.clear()
  let above = null as { key: string; count: number } | null
  for (let at = 0; at < items.length;) {
    const fresh: StatusItem[] = []
    for (let item = items[at]; isBoost(item) && !before.has(item.id); item = items[(at += 1)]) fresh.push(item)
    if (above) for (const item of fresh.splice(0, MOST - above.count)) layout.set(item.id, above.key)
    for (const part of inRuns(fresh))
      for (const { id } of part) layout.set(id, part.length < FEWEST ? null : `boosts ${part[0]?.id}`)
    const item = items[at]
    at += 1
    if (item?.kind !== 'status') {
      above = null
      continue
    }
    const key: string | null = before.get(item.id) ?? null
    layout.set(item.id, key)
    above = key === null ? null : { key, count: above?.key === key ? above.count + 1 : 1 }
  }
}

/** As few as possible, and about equally long. */
function inRuns(items: readonly StatusItem[]): StatusItem[][] {
  const count = Math.ceil(items.length / MOST)
  return count === 0 ? [] : chunksOf(items, Math.ceil(items.length / count))
}

export const keyOfRow = (row: TimelineRow): string => (row.kind === 'boosts' ? row.key : keyOfItem(row))
