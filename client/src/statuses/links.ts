// Where statuses are, and what counts as a click on one.
import type { Status } from '../api/entities.ts'

export const statusPath = (status: Pick<Status, 'id' | 'account'>): string => `/@${status.account.acct}/${status.id}`

/** Clicks on links, buttons and media have their own meaning, and a selection of text is no click. */
export function isPlainClick(event: MouseEvent): boolean {
  const control = (event.target as Element).closest(
    'a, button, input, label, summary, video, audio, iframe, dialog, [popover]',
  )
  return !control && !event.defaultPrevented && getSelection()?.isCollapsed !== false
}
