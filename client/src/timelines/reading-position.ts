// Where the reader was in the home timeline: on this device exactly; the marker of the API, in reading.ts, tells other devices roughly.
import { effect } from '@preact/signals'
import { latestFirst } from '../api/ids.ts'
import { findStatus } from '../state/statuses.ts'
import { readStoredSoon, writeStored } from '../state/storage.ts'
import { loadCode } from '../ui/load-code.ts'
import type { Timeline } from './timeline.ts'
import { timelineOf } from './timelines.ts'
import { layoutOf } from './timeline-rows.ts'
import type { TimelineSnapshot, TimelineSource } from './timeline-source.ts'

/** How much of the timeline is stored: what one reads in a sitting. */
const STORED = 120

/** Milliseconds after which a position is stored. */
const STORE_DELAY = 400

let isRestored = false

/** Shows the timeline as it was left on this device. Call it before the first screen. */
export async function restoreReading(source: TimelineSource): Promise<void> {
  const stored = await readStoredSoon<TimelineSnapshot>(`reading ${source.path}`)
  const timeline = timelineOf(source)
  if (stored) {
    for (const [id, run] of stored.layout ?? []) layoutOf(timeline).set(id, run)
    timeline.restore(stored)
    isRestored = true
  }
  storeChanges(timeline)
}

function store(timeline: Timeline): void {
  const isEmpty = timeline.items.peek().length === 0
  // What is stored is better than a timeline that could not be loaded.
  if (!isEmpty || ['new', 'ready'].includes(timeline.state.peek()))
    void writeStored(`reading ${timeline.source.path}`, isEmpty ? undefined : readingOf(timeline))
}

/** Leaving the page may leave no time to store it. Other screens change it, too: what they hide must not come back. */
function storeChanges(timeline: Timeline): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isUnchanged = true
  const storeNow = () => {
    timer = undefined
    store(timeline)
  }
  effect(() => {
    void timeline.positionChanges.value
    void timeline.items.value
    clearTimeout(timer)
    if (!isUnchanged) timer = setTimeout(storeNow, STORE_DELAY)
    isUnchanged = false
  })
  addEventListener('pagehide', () => timer !== undefined && storeNow())
}

/**
 * While one reads it: stores the position whenever the page may go away, and sends the marker. Returns the function that stops.
 */
export function rememberReading(source: TimelineSource): () => void {
  const timeline = timelineOf(source)
  const mayBeOutdated = isRestored
  isRestored = false
  const reading = loadCode(() => import('./reading.ts')).then(
    ({ startReading }) => startReading(timeline, mayBeOutdated),
    // A new version is about to be loaded.
    (error) => console.info(error),
  )
  const storeNow = () => store(timeline)
  const storeWhenHidden = () => document.visibilityState === 'hidden' && storeNow()
  const listening = new AbortController()
  document.addEventListener('visibilitychange', storeWhenHidden, listening)
  addEventListener('pagehide', storeNow, listening)
  return () => {
    void reading.then((stop) => stop?.())
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
