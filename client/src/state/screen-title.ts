// What the window is called: after the screen of its address.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useInstance } from './me.ts'

export const screenTitle = signal('')

/** Null for screens that are not that of the window's address. */
export function useScreenTitle(title: string | null): void {
  const { title: site } = useInstance()
  useEffect(() => {
    if (title !== null) screenTitle.value = `${title} · ${site}`
  }, [title, site])
}
