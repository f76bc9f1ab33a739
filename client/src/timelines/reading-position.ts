// Where the reader was in the home timeline: exactly, on this device, and roughly for other devices, by the marker of the API.
import { effect } from '@preact/signals'
import { latestFirst } from '../api/ids.ts'
import { advanceMarker } from '../state/markers.ts'
import { findStatus } from '../state/statuses.ts'
import { readStoredSoon, writeStored } from '../state/storage.ts'
import type { Timeline } from './timeline.ts'
import { timelineOf } from './timelines.ts'
import { layoutOf } from './timeline-rows.ts'
import type { TimelineSnapshot, TimelineSource } from './timeline-source.ts'

/** How much of the timeline is stored: what one reads in a sitting. */
const STORED = 120

/** Milliseconds after which a position is stored. */
const STORE_DELAY = 400

/** Milliseconds between two writes of the marker. */
const MARKER_INTERVAL = 5000

/** Shows the timeline as it was left on this device. Call it before the first screen. */
export async function restoreReading(source: TimelineSource): Promise<void> {
  const stored = await readStoredSoon<TimelineSnapshot>(`reading ${source.path}`)
  if (!stored) return
  const timeline = timelineOf(source)
  for (const [id, run] of stored.layout ?? []) layoutOf(timeline).set(id, run)
  timeline.restore(stored)
}

/** Stores the position whenever the page may go away, and sends the marker while one reads. Returns the function that stops. */
export function rememberReading(source: TimelineSource): () => void {
  const timeline = timelineOf(source)
  const store = () => {
    // What is stored is better than a timeline that could not be loaded.
    if (timeline.items.peek().length > 0) void writeStored(`reading ${source.path}`, readingOf(timeline))
  }
  const storeWhenHidden = () => document.visibilityState === 'hidden' && store()
  // Leaving the page may leave no time to store it, so it is stored soon after each stop and change, too.
  let timer: ReturnType<typeof setTimeout> | undefined
  const storeSoon = effect(() => {
    void timeline.positionChanges.value
    void timeline.items.value
    clearTimeout(timer)
    timer = setTimeout(store, STORE_DELAY)
  })
  const marker = setInterval(() => void sendMarker(timeline), MARKER_INTERVAL)
  const listening = new AbortController()
  document.addEventListener('visibilitychange', storeWhenHidden, listening)
  addEventListener('pagehide', store, listening)
  return () => {
    // The list reports its position when it leaves, which may be after this.
    queueMicrotask(store)
    storeSoon()
    clearTimeout(timer)
    clearInterval(marker)
    listening.abort()
  }
}

function readingOf(timeline: Timeline): TimelineSnapshot {
  const items = timeline.items.value.slice(0, STORED)
  const statuses = items
    .flatMap((item) => (item.kind === 'status' ? [item.id, ...item.thread] : []))
    .flatMap((id) => findStatus(id)?.value ?? [])
    .toSorted(latestFirst)
  return {
    statuses,
    gaps: items.flatMap((item) => (item.kind === 'gap' ? item.olderThan : [])),
    layout: [...layoutOf(timeline)].slice(0, STORED),
    position: timeline.position,
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
