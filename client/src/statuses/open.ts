// Opens a dialog about a status over any screen.
import { signal } from '@preact/signals'
import type { Account, Status } from '../api/entities.ts'

export type StatusDialogRequest =
  | { kind: 'embed' | 'quote-policy' | 'filter'; status: Status }
  /** `status`: what made the viewer report the account, if it was one. */
  | { kind: 'report'; account: Account; status: Status | null }

/** The status whose media the viewer shows. */
export type Viewed = {
  id: string
  /** Where it is rendered in the viewer, which is no component. */
  place: HTMLElement
  /** Closes the viewer, and calls `done` when it has closed. */
  leave: (done: () => void) => void
}

/** Null while the viewer is closed. */
export const viewed = signal<Viewed | null>(null)

/** Null while none is open. */
export const statusDialog = signal<StatusDialogRequest | null>(null)

export function openStatusDialog(request: StatusDialogRequest): void {
  statusDialog.value = request
}

export function closeStatusDialog(): void {
  statusDialog.value = null
}
