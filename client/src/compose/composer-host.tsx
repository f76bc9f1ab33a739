// Shows the composer while it is open. Its code is loaded when it is opened for the first time.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { showError } from '../ui/toasts.tsx'
import { composeRequest, type ComposeRequest } from './open.ts'

type Composer = ComponentType<{ request: ComposeRequest }>

/** The frame renders it once. */
export function ComposerHost() {
  const request = composeRequest.value
  const [Composer, setComposer] = useState<Composer | null>(null)
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
