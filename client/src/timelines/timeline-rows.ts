// What the list of a timeline shows: its items, with boosts that follow each other in runs.
import { computed, type ReadonlySignal } from '@preact/signals'
import { settings } from '../state/settings.ts'
import { rowsWithRuns, type Layout, type TimelineRow } from './boost-runs.ts'
import type { Timeline } from './timeline.ts'

type Rows = { layout: Layout; rows: ReadonlySignal<TimelineRow[]> }

const known = new WeakMap<Timeline, Rows>()

function rowsOf(timeline: Timeline): Rows {
  let found = known.get(timeline)
  if (!found) {
    const layout: Layout = new Map()
    const rows = computed(() =>
      timeline.source.context === 'home' && settings.value.groupBoosts
        ? rowsWithRuns(timeline.items.value, layout)
        : timeline.items.value,
    )
    known.set(timeline, (found = { layout, rows }))
  }
  return found
}

export const timelineRows = (timeline: Timeline): readonly TimelineRow[] => rowsOf(timeline).rows.value

/** To store it with the position, which depends on it. */
export const layoutOf = (timeline: Timeline): Layout => rowsOf(timeline).layout
