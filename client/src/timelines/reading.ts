// While one reads the home timeline, after the first paint: renews what was restored, and sends the marker of the API.
import { api, isOffline, read } from '../api/client.ts'
import { untilOnline } from '../api/connection.ts'
import type { Status } from '../api/entities.ts'
import { latestFirst, oldestFirst } from '../api/ids.ts'
import { advanceMarker } from '../state/markers.ts'
import { findStatus } from '../state/statuses.ts'
import { subscribe, type StreamEvent } from '../state/streaming.ts'
import type { TimelineItem } from './grouping.ts'
import type { Timeline } from './timeline.ts'

/** Milliseconds between two writes of the marker. */
const MARKER_INTERVAL = 5000

/** `mayBeOutdated`: its posts are from an earlier visit. Returns the function that stops. */
export function startReading(timeline: Timeline, mayBeOutdated: boolean): () => void {
  if (mayBeOutdated) void renew(timeline)
  const marker = setInterval(() => void sendMarker(timeline), MARKER_INTERVAL)
  // Another window or device has changed the viewer's filters.
  const onEvent = ({ event }: StreamEvent) => event === 'filters_changed' && void renew(timeline)
  const unsubscribe = subscribe({ names: timeline.source.streams ?? [], onEvent })
  return () => {
    clearInterval(marker)
    unsubscribe()
  }
}

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
const RENEWED = 200

/**
 * Posts of an earlier visit may have changed since, or may be gone: deleted, filtered, or from accounts that the viewer blocked or
 * unfollowed elsewhere. Asks the server for them page by page, and removes those that it does not give.
 */
async function renew(timeline: Timeline): Promise<void> {
  let waiting = idsOf(timeline).slice(0, RENEWED)
  while (waiting.length > 0) {
    const [newest = ''] = waiting
    const isUnchanged = unchangedSince(waiting)
    try {
      const items = await loadPage(String(BigInt(newest) + 1n))
      if (!items) return
      const [unchanged, changed] = [items.filter(isUnchanged), items.filter((item) => !isUnchanged(item))]
      const shown = new Set([...timeline.store(unchanged), ...changed].map(({ id }) => id))
      const oldest = items.length < PAGE ? undefined : items.at(-1)
      const isCovered = (id: string): boolean => !oldest || oldestFirst({ id }, oldest) >= 0
      const gone = new Set(waiting.filter((id) => isCovered(id) && !shown.has(id)))
      if (gone.size > 0) timeline.items.value = timeline.items.value.flatMap((item) => without(item, gone))
      waiting = waiting.filter((id) => !isCovered(id))
    } catch (error) {
      if (!isOffline(error)) return console.info(error)
      await untilOnline()
    }
  }
}

/** Null while the server is still collecting the timeline. */
async function loadPage(max_id: string): Promise<Status[] | null> {
  const answer = await api.GET('/api/v1/timelines/home', { params: { query: { max_id, limit: PAGE } } })
  const items = await read(Promise.resolve(answer))
  return answer.response.status === 206 ? null : items
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
