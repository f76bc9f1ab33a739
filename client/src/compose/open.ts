// Opens the composer over any screen: `openComposer({ inReplyTo: status })`.
import { signal } from '@preact/signals'
import type { DeletedStatus, Status } from '../api/entities.ts'

export type ComposeRequest = {
  inReplyTo?: Status
  quote?: Status
  /** What the text begins with, such as a mention. */
  text?: string
  /** One of the viewer's own statuses, to be changed. */
  edit?: Status
  /** What the server returned when it deleted a status: it is written again. */
  redraft?: DeletedStatus
  visibility?: Status['visibility']
  /** A draft of this device, by its id. */
  draft?: string
}

/** What the composer was opened with; null while it is closed. */
export const composeRequest = signal<ComposeRequest | null>(null)

export function openComposer(request: ComposeRequest = {}): void {
  composeRequest.value = request
}

/** For links to `/publish`: opens the composer without leaving the screen, unless a new tab is wanted. */
export function openFromLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
  event.preventDefault()
  event.stopPropagation()
  openComposer()
}
