// Opens the composer over any screen: `openComposer({ inReplyTo: status })`.
import { signal } from '@preact/signals'
import type { ComponentType, RefObject } from 'preact'
import type { DeletedStatus, Status } from '../api/entities.ts'
import { accountId } from '../api/session.ts'
import { readItem, writeItem } from '../state/web-storage.ts'
import { opensHere } from '../ui/opens-here.ts'

/** The element below which a reply is written. */
export type Place = RefObject<HTMLElement | null>

export type ComposeRequest = {
  inReplyTo?: Status
  quote?: Status
  /** The beginning of the text, such as a mention. */
  text?: string
  /** Attachments that another app shares. */
  files?: readonly File[]
  /** One of the viewer's own statuses, to be changed. */
  edit?: Status
  /** One of the viewer's own statuses, to be deleted and written again. */
  redraft?: Status
  /** A deleted status that is written again, as the server returned it. */
  deleted?: DeletedStatus
  visibility?: Status['visibility']
  /** A draft of this device, by its id. */
  draft?: string
  /** Opens the composer there instead of in a dialog. */
  place?: Place
}

/** The options with which the composer was opened; null while it is closed. */
export const composeRequest = signal<ComposeRequest | null>(null)

/** Its name in `sessionStorage`: the draft stays with its tab, and with its account when the viewer switches to another one. */
const MINIMISED = `rookery.minimised.${accountId}`

/** The id of the draft that waits at the bottom of the window while its author looks around. */
export const minimised = signal(readItem(MINIMISED, 'sessionStorage'))

export function minimise(draft: string | null): void {
  minimised.value = draft
  writeItem(MINIMISED, draft, 'sessionStorage')
}

/** The code of the composer that opens in a place, once it is loaded: `ReplyPlace` shows it. */
export const placedComposer = signal<ComponentType<{ request: ComposeRequest }> | null>(null)

/** Whether it has been opened, and its code is on its way. */
export function isComposerAwaited(): boolean {
  const open = composeRequest.peek()
  if (!open) return false
  return open.place ? !placedComposer.peek() : !document.querySelector('.text-input')
}

export function openComposer(request: ComposeRequest = {}): void {
  const open = composeRequest.peek()
  // A second press must not start another draft.
  if (request.place && open?.place === request.place) return
  composeRequest.value = request
  if (request.draft !== undefined && request.draft === minimised.peek()) minimise(null)
}

/** For links to `/publish`: opens the composer without leaving the screen, unless a new tab is wanted. */
export function openFromLink(event: MouseEvent): void {
  if (!opensHere(event)) return
  event.preventDefault()
  event.stopPropagation()
  openComposer()
}
