// Shows the composer while it is open, and what is not sent yet. Their code is loaded after the first screen.
import type { ComponentType } from 'preact'
import { ErrorBoundary } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { isConnected } from '../api/connection.ts'
import { lazy, withTexts } from '../ui/lazy.tsx'
import { loadCode } from '../ui/load-code.ts'
import { showError } from '../ui/toasts.tsx'
import { composeRequest, minimised, placedComposer, type ComposeRequest } from './open.ts'

const MinimisedDraft = lazy(() => import('./minimised-draft.tsx').then((m) => m.MinimisedDraft))

/** The frame renders it once. */
export function ComposerHost() {
  const request = composeRequest.value
  const [Composer, setComposer] = useState<ComponentType<{ request: ComposeRequest }> | null>(null)
  useEffect(() => {
    if (!request) return
    const hadFailed = hasFailed
    const fail = (error: unknown): void => {
      composeRequest.value = null
      if (!hadFailed || !isConnected.value) showError(error)
      else if (Object.keys(request).length === 0) location.assign('/publish')
      else location.reload()
    }
    if (request.place) {
      if (!placedComposer.value) loadReply().catch(fail)
    } else if (!Composer) withTexts(loadComposer).then((loaded) => setComposer(() => loaded.Composer), fail)
  }, [request, Composer])
  if (request?.place) return null
  if (request) return Composer && <Composer key={request} request={request} />
  return <ErrorBoundary>{minimised.value && <MinimisedDraft id={minimised.value} />}</ErrorBoundary>
}

/** Whether the code could not be loaded before. Browsers remember that, until the page is loaded anew. */
let hasFailed = false

function rememberFailure(error: unknown): never {
  hasFailed = true
  throw error
}

const loadComposer = () => import('./composer.tsx').catch(rememberFailure)

async function loadReply(): Promise<void> {
  const load = () => import('./reply-composer.tsx').catch(rememberFailure)
  placedComposer.value = (await withTexts(load)).ReplyComposer
}

/** Milliseconds after the start: the first screen comes before posts that wait, unless their list is what was opened. */
const OUTBOX_DELAY = 1500

/** The frame renders it once, above the screen. */
export function UnsentHost() {
  const [Notice, setNotice] = useState<ComponentType | null>(null)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        loadCode(() => withTexts(() => import('./unsent-notice.tsx'))).then(
          (loaded) => setNotice(() => loaded.UnsentNotice),
          console.warn,
        )
        // Once the network is gone, the code of the composer could no longer be loaded.
        loadCode(loadComposer).catch(console.warn)
        loadCode(loadReply).catch(console.warn)
      },
      location.pathname === '/drafts' ? 0 : OUTBOX_DELAY,
    )
    return () => clearTimeout(timer)
  }, [])
  return Notice && <Notice />
}
