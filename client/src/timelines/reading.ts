// Renews timelines that may be outdated. While one reads Home, after the first paint: renews what was restored, and sends the marker of
// the API.
import { useEffect } from 'preact/hooks'
import { isOffline } from '../api/client.ts'
import { untilOnline } from '../api/connection.ts'
import type { Status } from '../api/entities.ts'
import { latestFirst, oldestFirst } from '../api/ids.ts'
import { advanceMarker } from '../state/markers.ts'
import { findStatus } from '../state/statuses.ts'
import { subscribe, type StreamEvent } from '../state/streaming.ts'
import { announce, tabs } from '../state/tabs.ts'
import { groupStatuses, type TimelineItem } from './grouping.ts'
import type { Timeline } from './timeline.ts'
import type { TimelineSource } from './timeline-source.ts'
import { timelines } from './timelines.ts'

/** Milliseconds between two writes of the marker. */
const MARKER_INTERVAL = 5000

/** Milliseconds after which a timeline may be outdated: it hears of changes and deletions only while a screen shows it. */
const LONG_AWAY = 60_000

const leftAt = new WeakMap<Timeline, number>()

const wasLongAway = (timeline: Timeline): boolean => Date.now() - (leftAt.get(timeline) ?? Date.now()) > LONG_AWAY

/** For the screens of other timelines with streams: renews what was loaded when they were opened before. */
export function useRenewal({ path }: TimelineSource): void {
  useEffect(() => {
    const timeline = timelines.get(path)
    if (timeline && wasLongAway(timeline)) void renew(timeline)
    return () => {
      const left = timelines.get(path)
      if (left) leftAt.set(left, Date.now())
    }
  }, [path])
}

/** `mayBeOutdated`: its posts are from an earlier visit. Returns the function that stops. */
export function startReading(timeline: Timeline, mayBeOutdated: boolean): () => void {
  shown.push(timeline)
  const isOnly = shown.length === 1
  if (mayBeOutdated || isOutdated || (isOnly && wasLongAway(timeline))) renewHome()
  const marker = setInterval(() => void sendMarker(timeline), MARKER_INTERVAL)
  // Another device may have changed the viewer's filters.
  const onEvent = ({ event }: StreamEvent) => event === 'filters_changed' && renewHome()
  const unsubscribe = subscribe({ names: timeline.source.streams ?? [], onEvent })
  return () => {
    clearInterval(marker)
    unsubscribe()
    shown.splice(shown.indexOf(timeline), 1)
    leftAt.set(timeline, Date.now())
  }
}

/** Home, once for each place that shows it. */
const shown: Timeline[] = []

/** Home has changed while no screen showed it. */
let isOutdated = false

/** After a change to which posts Home shows: now, or when a screen shows it next. */
export function renewHome(): void {
  const [timeline] = shown
  isOutdated = !timeline
  if (timeline) void renew(timeline)
}

/** The same in all tabs. */
export function renewHomeOfAllTabs(): void {
  announce('hidden')
  renewHome()
}

// Another tab has blocked or muted an account, for example.
tabs.addEventListener('message', ({ data }) => data === 'hidden' && renewHome())

let sent = ''

/** The newest status that the reader had in the list. */
async function sendMarker(timeline: Timeline): Promise<void> {
  const newest = timeline.items.value.find((item) => item.kind === 'status')?.id
  if (newest === undefined || newest === sent || document.visibilityState === 'hidden') return
  sent = newest
  try {
    await advanceMarker('home', newest)
  } catch (error) {
    // The next status that is read sends it again.
    sent = ''
    console.info(error)
  }
}

/** As many as the server gives at once. */
const PAGE = 40

/** How many posts are renewed: older ones stay as they are. */
export const RENEWED = 200

/** Those that are being renewed, and whether that is wanted once more. */
const renewing = new Map<Timeline, boolean>()

/** A change during the work may have come too late for it: it runs once more. */
async function renew(timeline: Timeline): Promise<void> {
  const isRenewing = renewing.has(timeline)
  renewing.set(timeline, true)
  if (isRenewing) return
  while (renewing.get(timeline)) {
    renewing.set(timeline, false)
    await renewOnce(timeline)
  }
  renewing.delete(timeline)
}

/**
 * Posts may have changed since they were loaded, or may be gone: deleted, filtered, or from accounts that the viewer blocked or
 * unfollowed elsewhere. Others may be back. Asks the server for them page by page, and shows those that it gives.
 */
async function renewOnce(timeline: Timeline): Promise<void> {
  let waiting = idsOf(timeline).slice(0, RENEWED)
  // All of it was hidden.
  if (waiting.length === 0 && timeline.state.value === 'ready') return timeline.restart()
  let max = [timeline.complete, ...waiting]
    .flatMap((id) => (id === undefined ? [] : { id }))
    .toSorted(latestFirst)[0]?.id
  while (waiting.length > 0 && max !== undefined) {
    const isUnchanged = unchangedSince(waiting)
    const [before, complete] = [timeline.items.value, timeline.complete ?? '']
    try {
      const { items } = await timeline.source.load({ max_id: String(BigInt(max) + 1n), limit: PAGE })
      const known = new Set(allIdsOf(timeline))
      // Newer ones wait as pending when they are loaded.
      const isMissing = (item: Status): boolean => !known.has(item.id) && oldestFirst(item, { id: complete }) <= 0
      const ids = new Set(items.filter((item) => !isUnchanged(item)).map(({ id }) => id))
      for (const { id } of timeline.store(items.filter(isUnchanged))) ids.add(id)
      // The answer may be older than an act that has hidden posts meanwhile.
      if (timeline.items.value === before) insert(timeline, timeline.store(items.filter(isMissing)))
      const oldest = items.length < PAGE ? undefined : items.at(-1)
      const isCovered = (id: string): boolean => !oldest || oldestFirst({ id }, oldest) >= 0
      remove(timeline, new Set(waiting.filter((id) => isCovered(id) && !ids.has(id))))
      waiting = waiting.filter((id) => !isCovered(id))
      max = waiting[0]
    } catch (error) {
      if (!isOffline(error)) return console.info(error)
      await untilOnline()
    }
  }
}

function remove({ items, pending }: Timeline, gone: ReadonlySet<string>): void {
  if (gone.size === 0) return
  items.value = items.value.flatMap((item) => without(item, gone))
  pending.value = pending.value.filter(({ id }) => !gone.has(id))
}

/** Posts that were hidden when those around them were loaded, newest first. */
function insert(timeline: Timeline, statuses: readonly Status[]): void {
  const all = [...timeline.items.value]
  const placeOf = (status: { id: string }): number =>
    all.findIndex((item) => item.kind === 'status' && oldestFirst(item, status) < 0)
  const added = groupStatuses(statuses, all.slice(Math.max(0, placeOf(statuses[0] ?? { id: '' }) - PAGE)))
  for (const item of added) {
    const at = placeOf(item)
    const above = all[at - 1]
    const isInGap = above?.kind === 'gap' && oldestFirst(item, { id: above.olderThan }) < 0
    // Older ones come when the reader scrolls to them. Newer ones would stand below those that wait.
    const isBetween = at > 0 ? !isInGap : at === 0 ? timeline.pending.value.length === 0 : timeline.isComplete.value
    if (isBetween) all.splice(at < 0 ? all.length : at, 0, item)
  }
  if (added.length > 0) timeline.items.value = all
}

/** Whether a status is still as it was: an answer may be older than what the viewer did, or what the stream brought, meanwhile. */
function unchangedSince(ids: readonly string[]): (status: Status) => boolean {
  const valueOf = (id: string) => findStatus(id)?.peek()
  const all = ids.flatMap((id) => [id, valueOf(id)?.reblog?.id ?? id])
  const before = new Map(all.map((id) => [id, valueOf(id)]))
  return ({ id, reblog }) => [id, reblog?.id ?? id].every((each) => valueOf(each) === before.get(each))
}

/** Of what the server gave for the timeline, newest first. */
const idsOf = ({ items, pending }: Timeline): string[] =>
  [...pending.value, ...items.value.flatMap(partsOf).map((id) => ({ id }))].toSorted(latestFirst).map(({ id }) => id)

/** Also of what was joined with something else. */
const allIdsOf = ({ items, pending }: Timeline): string[] => [
  ...pending.value.map(({ id }) => id),
  ...items.value.flatMap((item) => (item.kind === 'gap' ? [] : [item.id, item.shown, ...item.boosts, ...item.thread])),
]

/** In reading order. */
function partsOf(item: TimelineItem): string[] {
  if (item.kind === 'gap') return []
  return item.thread.length > 0 ? [item.shown, ...item.thread] : [item.id]
}

function without(item: TimelineItem, gone: ReadonlySet<string>): TimelineItem[] {
  const parts = partsOf(item)
  const left = parts.filter((id) => !gone.has(id))
  const [shown, ...thread] = left
  const id = left.at(-1)
  if (item.kind === 'gap' || left.length === parts.length) return [item]
  return shown === undefined || id === undefined ? [] : [{ ...item, id, shown, thread }]
}
