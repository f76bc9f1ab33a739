// Acts whose effect shows before the server has confirmed it.
import { showError, showToast } from './toasts.tsx'
import { texts } from '../texts.ts'

type Act<T> = {
  /** What it is about. Requests about the same thing are sent one after the other, so that the last act is what remains. */
  on: string
  request: () => Promise<T>
  /** Undoes what is shown already. */
  undo: () => void
  /** Receives the answer, unless a later act about the same thing is on its way. */
  done?: (answer: T) => void
}

const running = new Map<string, Promise<unknown>>()

/** Resolves to whether the server accepted it. If not, it is undone, and the viewer reads why. */
export async function optimistic<T>({ on, request, undo, done }: Act<T>): Promise<boolean> {
  const sent = (running.get(on) ?? Promise.resolve()).then(request)
  const settled = sent.catch(() => {})
  running.set(on, settled)
  try {
    const answer = await sent
    if (running.get(on) === settled) done?.(answer)
    return true
  } catch (error) {
    undo()
    showError(error)
    return false
  } finally {
    if (running.get(on) === settled) running.delete(on)
  }
}

/** Says what was done, with a button that undoes it. */
export function offerUndo(text: string, undo: () => unknown): void {
  showToast(text, { action: { label: texts.frame.undo, onSelect: () => void undo() } })
}
