// Listens for the keys of the client, and shows what they do. The frame renders it once.
import { ErrorBoundary, useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { lazy } from '../ui/lazy.tsx'
import { goBack } from '../ui/page.tsx'
import { listenForShortcuts } from './shortcuts.ts'
import { showPalette, shownDialog, showShortcuts, type ShownDialog } from './shown-dialog.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((m) => m.ShortcutHelp), { isDialog: true })

const CommandPalette = lazy(() => import('./command-palette.tsx').then((m) => m.CommandPalette), { isDialog: true })

/** Unless the one has opened the other. */
const close = (dialog: ShownDialog): void => {
  if (shownDialog.value === dialog) shownDialog.value = null
}

export function ShortcutHost() {
  const { route, back } = useLocation()
  useEffect(() => {
    const goBackHere = () => goBack({ route, back })
    return listenForShortcuts({ go: route, back: goBackHere, showHelp: showShortcuts, showPalette })
  }, [route, back])
  if (shownDialog.value === null) return null
  return (
    <ErrorBoundary>
      {shownDialog.value === 'help' ? (
        <ShortcutHelp onClose={() => close('help')} />
      ) : (
        <CommandPalette onClose={() => close('palette')} />
      )}
    </ErrorBoundary>
  )
}
