// Listens for the keys of the client, and shows what they do. The frame renders it once.
import { signal } from '@preact/signals'
import { ErrorBoundary, useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { lazy } from '../ui/lazy.tsx'
import { listenForShortcuts } from './shortcuts.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((m) => m.ShortcutHelp), { isDialog: true })

const isHelping = signal(false)

export function showShortcuts(): void {
  isHelping.value = true
}

export function ShortcutHost() {
  const { route, back } = useLocation()
  useEffect(() => listenForShortcuts({ go: route, back, showHelp: showShortcuts }), [route, back])
  return isHelping.value ? (
    <ErrorBoundary>
      <ShortcutHelp onClose={() => (isHelping.value = false)} />
    </ErrorBoundary>
  ) : null
}
