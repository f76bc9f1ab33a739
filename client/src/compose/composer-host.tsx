// Shows the composer while it is open, and what is not sent yet. Their code is loaded after the first screen.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { showError } from '../ui/toasts.tsx'
import { composeRequest, type ComposeRequest } from './open.ts'

/** The frame renders it once. */
export function ComposerHost() {
  const request = composeRequest.value
  const [Composer, setComposer] = useState<ComponentType<{ request: ComposeRequest }> | null>(null)
  useEffect(() => {
    if (!request || Composer) return
    import('./composer.tsx').then(
      (loaded) => setComposer(() => loaded.Composer),
      (error: unknown) => {
        composeRequest.value = null
        showError(error)
      },
    )
  }, [request, Composer])
  return request && Composer && <Composer key={request} request={request} />
}

/** Milliseconds after the start: what is waiting is not in a hurry, and the first screen is. */
const OUTBOX_DELAY = 1500

/** The frame renders it once, above the screen. */
export function UnsentHost() {
  const [Notice, setNotice] = useState<ComponentType | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      import('./unsent-notice.tsx').then((loaded) => setNotice(() => loaded.UnsentNotice), console.warn)
    }, OUTBOX_DELAY)
    return () => clearTimeout(timer)
  }, [])
  return Notice && <Notice />
}
