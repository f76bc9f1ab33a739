// The source of a timeline's statuses, and the part of a timeline that is stored.
import type { Page } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import type { StreamName } from '../state/streaming.ts'
import type { ListPosition } from '../ui/virtual-list.tsx'

type TimelineQuery = Record<string, string | number>

export type TimelineSource = {
  /** The path of its screen. */
  path: string
  load: (query: TimelineQuery) => Promise<Page<Status>>
  /** The context of filters that hide statuses from it. */
  context?: 'home' | 'public' | 'account'
  /** What the viewer leaves out of it. */
  isUnwanted?: (status: Status) => boolean
  /** Which posts of the viewer belong to it, so that it shows them once they are sent. */
  takesOwn?: (sent: Status) => boolean
  /** Live timelines have streams, and look for newer statuses when they are opened again. */
  streams?: readonly StreamName[]
}

/**
 * The part of a timeline that is stored to show it again: `statuses`, newest first; `gaps`, the ids of statuses below which some are
 * missing; `layout`, the run of boosts of each item; and the position.
 */
export type TimelineSnapshot = {
  statuses: Status[]
  gaps?: string[]
  layout?: [id: string, run: string | null][]
  position: ListPosition | null
}
