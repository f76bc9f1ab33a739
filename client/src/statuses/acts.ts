// Acts on statuses: shown at once, and undone when the server refuses.
import type { Status } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { changeStatus, storeStatus } from '../state/statuses.ts'
import { showError } from '../ui/toasts.tsx'

type Toggle = 'favourite' | 'unfavourite' | 'reblog' | 'unreblog' | 'bookmark' | 'unbookmark'

export function favourite(status: Status): Promise<void> {
  const on = !status.favourited
  const change = { favourited: on, favourites_count: Math.max(0, status.favourites_count + (on ? 1 : -1)) }
  return act(status, on ? 'favourite' : 'unfavourite', change)
}

export function reblog(status: Status): Promise<void> {
  const on = !status.reblogged
  const change = { reblogged: on, reblogs_count: Math.max(0, status.reblogs_count + (on ? 1 : -1)) }
  return act(status, on ? 'reblog' : 'unreblog', change)
}

export function bookmark(status: Status): Promise<void> {
  const on = !status.bookmarked
  return act(status, on ? 'bookmark' : 'unbookmark', { bookmarked: on })
}

async function act({ id }: Status, toggle: Toggle, change: Partial<Status>): Promise<void> {
  const undo = changeStatus(id, change)
  try {
    const changed = await read(api.POST(`/api/v1/statuses/{id}/${toggle}`, { params: { path: { id } } }))
    storeStatus(changed.reblog && toggle === 'reblog' ? (changed.reblog as Status) : changed)
  } catch (error) {
    undo()
    showError(error)
  }
}
