// The timelines that the viewer opened lately.
import type { Status } from '../api/entities.ts'
import { RecentMap } from '../state/recent-map.ts'
import { findStatus } from '../state/statuses.ts'
import { recordSent } from './own-posts.ts'
import type { TimelineSource } from './timeline-source.ts'
import { Timeline } from './timeline.ts'

const timelines = new RecentMap<Timeline>(60)

export const timelineOf = (source: TimelineSource): Timeline => timelines.getOr(source.path, () => new Timeline(source))

/** After a change to which statuses the timeline at a path has: loads it again when a screen shows it next. */
export const restartTimeline = (path: string): void => timelines.get(path)?.restart()

/** After a block or mute, in all timelines but those of profiles. Returns the function that undoes it. */
export function hideAccountInTimelines(accountId: string): () => void {
  const undos = [...timelines.values()]
    .filter(({ source: { context } }) => context === 'home' || context === 'public')
    .map((timeline) => hideAccount(timeline, accountId))
  return () => {
    for (const undo of undos) undo()
  }
}

/** Removes an account's posts and boosts. Returns a function that restores them. */
function hideAccount({ items, pending }: Timeline, accountId: string): () => void {
  const isBy = (id: string): boolean => findStatus(id)?.peek()?.account.id === accountId
  const before = items.value
  const rest = before.filter((item) => item.kind === 'gap' || !(isBy(item.id) || isBy(item.shown)))
  pending.value = pending.value.filter(
    ({ account, reblog }) => account.id !== accountId && reblog?.account.id !== accountId,
  )
  if (rest.length === before.length) return () => {}
  items.value = rest
  return () => {
    if (items.value === rest) items.value = before
  }
}

/** Shows what the viewer has just posted in the timelines that take it, or to which the stream brought it before the answer. */
export function showSent(status: Status): void {
  recordSent(status)
  for (const timeline of timelines.values())
    if (timeline.source.takesOwn?.(status) || timeline.pending.value.some(({ id }) => id === status.id))
      timeline.addOwn(status)
}

/** Once the viewer has deleted it: the stream says so to some timelines only. */
export function removeFromTimelines(id: string): void {
  for (const timeline of timelines.values()) timeline.remove(id)
}
