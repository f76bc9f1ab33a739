import { RENEWED, renewHomeOfAllTabs } from './reading.ts'
import { timelines } from './timelines.ts'

/** After a change of the viewer's filters. Home stays where it is, unless more of it is loaded than is renewed. */
export function applyFilters(): void {
  for (const timeline of timelines.values())
    if (timeline.source.path !== '/home' || timeline.items.value.length > RENEWED) timeline.restart()
  renewHomeOfAllTabs()
}
