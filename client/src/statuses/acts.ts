// Acts on statuses: shown at once, and undone when the server refuses.
import { signal } from '@preact/signals'
import type { DeletedStatus, Status } from '../api/entities.ts'
import { api, isGone, read } from '../api/client.ts'
import { openComposer } from '../compose/open.ts'
import { reloadMe } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { changeStatus, findStatus, removeStatus, storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { removeFromTimelines } from '../timelines/timelines.ts'
import { confirm } from '../ui/confirm.tsx'
import { offerUndo, optimistic } from '../ui/optimistic.ts'
import { showError, showToast } from '../ui/toasts.tsx'

type Toggle =
  | 'favourite'
  | 'unfavourite'
  | 'reblog'
  | 'unreblog'
  | 'bookmark'
  | 'unbookmark'
  | 'mute'
  | 'unmute'
  | 'pin'
  | 'unpin'

export type BoostVisibility = 'public' | 'unlisted' | 'private'

export async function favourite(status: Status): Promise<void> {
  const on = !status.favourited
  const change = { favourited: on, favourites_count: Math.max(0, status.favourites_count + (on ? 1 : -1)) }
  await act(status, on ? 'favourite' : 'unfavourite', change)
}

/** Boosts, or removes the boost. A removal can be undone. */
export async function reblog(status: Status, visibility?: BoostVisibility): Promise<void> {
  const t = texts.statuses
  const on = !status.reblogged
  if (on && settings.value.confirmBoost && !(await confirm({ title: t.confirm_boost, action: t.boost }))) return
  const change = { reblogged: on, reblogs_count: Math.max(0, status.reblogs_count + (on ? 1 : -1)) }
  const isDone = await act(status, on ? 'reblog' : 'unreblog', change, on && visibility ? { visibility } : undefined)
  // A boost counts as a post of the viewer.
  if (isDone) void reloadMe()
  if (isDone && !on) offerUndo(t.boost_removed, () => again(status.id, (now) => now.reblogged !== true && reblog(now)))
}

/** The author decides who may quote, and whether they want to be asked. */
export const mayQuote = ({ quote_approval: { current_user: approval } }: Status): boolean =>
  approval === 'automatic' || approval === 'manual'

export function quote(status: Status): void {
  if (mayQuote(status)) openComposer({ quote: status })
  else showToast(texts.statuses.quote_denied)
}

export async function bookmark(status: Status): Promise<void> {
  const on = !status.bookmarked
  const isDone = await act(status, on ? 'bookmark' : 'unbookmark', { bookmarked: on })
  if (isDone && !on)
    offerUndo(texts.statuses.bookmark_removed, () => again(status.id, (now) => !now.bookmarked && bookmark(now)))
}

/** No more notifications about the thread. */
export async function muteThread(status: Status): Promise<void> {
  const on = !status.muted
  const isDone = await act(status, on ? 'mute' : 'unmute', { muted: on })
  if (isDone)
    offerUndo(on ? texts.statuses.thread_muted : texts.statuses.thread_unmuted, () =>
      again(status.id, (now) => now.muted === on && muteThread(now)),
    )
}

/** Counts what the viewer pins and unpins. */
export const pinChanges = signal(0)

export async function pin(status: Status): Promise<void> {
  const on = !status.pinned
  if (!(await act(status, on ? 'pin' : 'unpin', { pinned: on }))) return
  pinChanges.value += 1
  offerUndo(on ? texts.statuses.pinned : texts.statuses.unpinned, () =>
    again(status.id, (now) => now.pinned === on && pin(now)),
  )
}

/** Asks first, unless the settings of this device say otherwise. */
export async function deleteStatus(status: Status): Promise<void> {
  const t = texts.statuses
  const question = { title: t.confirm_delete, text: t.confirm_delete_text, action: t.delete, isDanger: true }
  if (settings.value.confirmDelete && !(await confirm(question))) return
  const shown = findStatus(status.id)?.peek()
  removeStatus(status.id)
  try {
    const deleted = await read(api.DELETE('/api/v1/statuses/{id}', { params: { path: { id: status.id } } }))
    removeFromTimelines(status.id)
    void reloadMe()
    showToast(t.deleted, {
      action: { label: t.write_again, onSelect: () => openComposer({ deleted }) },
      onUnused: () => void deleteMedia(deleted),
    })
  } catch (error) {
    if (shown && !isGone(error)) storeStatus(shown)
    showError(error)
  }
}

/** Opens the composer, which deletes it. */
export async function redraft(status: Status): Promise<void> {
  const t = texts.statuses
  const question = { title: t.redraft, text: t.confirm_redraft, action: t.redraft, isDanger: true }
  if (await confirm(question)) openComposer({ redraft: status })
}

/** The server would delete the media of a deleted status later. */
async function deleteMedia({ media_attachments: media }: DeletedStatus): Promise<void> {
  for (const { id } of media)
    await read(api.DELETE('/api/v1/media/{id}', { params: { path: { id } } })).catch(console.info)
}

/** Removes the viewer's status from a status that quotes it. It cannot be undone. */
export async function revokeQuote(quoting: Status, quotedId: string): Promise<void> {
  const t = texts.statuses
  const params = { path: { id: quotedId, quoting_status_id: quoting.id } }
  const act = async () =>
    storeStatus(await read(api.POST('/api/v1/statuses/{id}/quotes/{quoting_status_id}/revoke', { params })))
  const question = { title: t.confirm_revoke, text: t.confirm_revoke_text, action: t.remove, isDanger: true, act }
  if (await confirm(question)) showToast(t.quote_revoked)
}

/** The status may have changed since the undo was offered. */
function again(id: string, work: (status: Status) => Promise<void> | false): void {
  const status = findStatus(id)?.value
  if (status) void work(status)
}

/** Resolves to whether the server did it. */
function act({ id }: Status, toggle: Toggle, change: Partial<Status>, body?: { visibility: BoostVisibility }) {
  const request = { params: { path: { id } }, ...(body ? { body } : {}) }
  return optimistic({
    on: `status ${id}`,
    undo: changeStatus(id, change),
    request: () => read(api.POST(`/api/v1/statuses/{id}/${toggle}`, request)),
    done: (changed) => storeStatus(changed.reblog && toggle === 'reblog' ? (changed.reblog as Status) : changed),
  })
}
