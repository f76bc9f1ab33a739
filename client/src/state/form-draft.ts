// The unsaved values of a form: leaving the screen loses nothing, and closing the page asks first.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { RecentMap } from './recent-map.ts'

export type FormDraft<T> = {
  values: T
  change: (part: Partial<T>) => void
  /** Whether something is not saved yet. */
  isChanged: boolean
  /** Back to what is saved. Call it after saving, too. Returns the function that brings the changes back. */
  discard: () => () => void
}

const drafts = new RecentMap<object>(50)

let warnings = 0

/** Whether the browser asks before it closes this page. */
export const hasUnsavedChanges = (): boolean => warnings > 0

/** The browser asks before it closes a page with unsaved changes. */
export function useWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    warnings += 1
    return () => {
      removeEventListener('beforeunload', warn)
      warnings -= 1
    }
  }, [isChanged])
}

/** `key`: differs for each form. */
export function useFormDraft<T extends object>(key: string, saved: T): FormDraft<T> {
  const version = useSignal(0)
  // Read, so that a change renders the form again.
  void version.value
  const draft = drafts.get(key) as T | undefined
  const isChanged = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(saved)
  useWarning(isChanged)
  return {
    values: draft ?? saved,
    change: (part) => {
      drafts.set(key, { ...((drafts.get(key) as T | undefined) ?? saved), ...part })
      version.value += 1
    },
    isChanged,
    discard: () => {
      drafts.delete(key)
      version.value += 1
      return () => {
        if (draft) drafts.set(key, draft)
        version.value += 1
      }
    },
  }
}
