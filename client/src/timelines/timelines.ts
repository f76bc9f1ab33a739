// The timelines that the viewer opened lately.
import type { Account, Status } from '../api/entities.ts'
import { RecentMap } from '../state/recent-map.ts'
import { findStatus } from '../state/statuses.ts'
import { recordSent } from './own-posts.ts'
import type { TimelineSource } from './timeline-source.ts'
import { Timeline } from './timeline.ts'

export const timelines = new RecentMap<Timeline>(60)

export const timelineOf = (source: TimelineSource): Timeline => timelines.getOr(source.path, () => new Timeline(source))

/** After a change to which statuses the timeline at a path has: loads it again when a screen shows it next. */
export const restartTimeline = (path: string): void => timelines.get(path)?.restart()

/** After a block or mute, in all timelines but those of profiles. Returns the function that undoes it. */
export const hideInTimelines = (isHidden: (by: Account) => boolean): (() => void) =>
  hideItems(
    ['home', 'public'],
    ({ account, reblog }) => isHidden(account) || (reblog !== null && isHidden(reblog.account)),
  )

/** After the end of a follow: others may still boost the account. Returns the function that undoes it. */
export const hideAtHome = (accountId: string): (() => void) =>
  hideItems(['home'], ({ account }) => account.id === accountId)

type Context = TimelineSource['context']

function hideItems(contexts: Context[], isHidden: (status: Status) => boolean): () => void {
  const undos = [...timelines.values()]
    .filter(({ source: { context } }) => contexts.includes(context))
    .map((timeline) => hideItemsOf(timeline, isHidden))
  return () => {
    for (const undo of undos) undo()
  }
}

function hideItemsOf({ items, pending }: Timeline, isHidden: (status: Status) => boolean): () => void {
  const before = items.value
  const rest = before.filter((item) => {
    const status = item.kind === 'status' && findStatus(item.id)?.peek()
    return !status || !isHidden(status)
  })
  pending.value = pending.value.filter((status) => !isHidden(status))
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
