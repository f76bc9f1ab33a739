// A draft in a window of its own, beside what one reads, and back.
import { texts } from '../texts.ts'
import { showToast } from '../ui/toasts.tsx'
import { untilReleased } from './autosave.ts'
import { closeUnsaved } from './composing.ts'
import { currentDraft } from './current.ts'
import { openComposer } from './open.ts'
import { storeDraft } from './store.ts'

const FEATURES = 'popup,width=620,height=680'

/** Whether this window is for the composer alone. */
export const isComposeWindow = (): boolean =>
  location.pathname === '/publish' && new URLSearchParams(location.search).has('window')

/** Call it in the handler of a click: browsers refuse windows that open later. */
export async function popOut(): Promise<void> {
  const draft = currentDraft.value
  if (!draft) return
  const opened = open('about:blank', '_blank', FEATURES)
  if (!opened) return showToast(texts.compose_window.blocked, { isError: true })
  if (!(await storeDraft(draft))) {
    // The new window could not read it.
    opened.close()
    return showToast(texts.compose_window.not_stored, { isError: true })
  }
  receiveFrom(opened)
  closeUnsaved()
  opened.location.replace(`/publish?window=true&draft=${draft.id}`)
}

/** Until the window is closed, or has given its draft back. */
function receiveFrom(opened: Window): void {
  const receive = ({ source, origin, data }: MessageEvent) => {
    if (source !== opened || origin !== location.origin) return
    removeEventListener('message', receive)
    void openReleased(String(data))
  }
  addEventListener('message', receive)
}

/** In the window: gives the draft to the window that opened it; without that one, this becomes a usual window. */
export async function popIn(route: (path: string) => void): Promise<void> {
  const draft = currentDraft.value
  const { opener } = window as { opener: Window | null }
  if (!draft) return
  const isStored = await storeDraft(draft)
  if (isStored && opener && !opener.closed) {
    closeUnsaved()
    opener.postMessage(draft.id, location.origin)
  } else {
    route('/home')
    closeUnsaved()
    await openReleased(draft.id)
  }
}

export async function openReleased(draft: string): Promise<void> {
  await untilReleased(draft)
  openComposer({ draft })
}
