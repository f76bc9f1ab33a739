// Messages in place of content: that it is being loaded, is empty, or could not be loaded.
import { Bird, LoaderCircle } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isGone } from '../api/client.ts'
import { hasSessionEnded, isConnected } from '../api/connection.ts'
import type { Loaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { errorText, isUnavailable } from './error-text.ts'
import { Icon } from './icon.tsx'
import './state-message.css'

/** `isPaused`: for a placeholder that may be out of view, as a turning icon makes the browser draw each frame. */
export function Loading({ isPaused = false }: { isPaused?: boolean }) {
  return (
    <p class={`state-message loading${isPaused ? ' paused' : ''}`} role="status">
      <Icon icon={LoaderCircle} />
      <span class="visually-hidden">{texts.frame.loading}</span>
    </p>
  )
}

/** In passing, such as that a list ends here. */
export function Note({ children }: { children: ComponentChildren }) {
  return <p class="state-message">{children}</p>
}

/** Instead of all content. */
export function Empty({ children }: { children: ComponentChildren }) {
  return (
    <div class="state-message empty">
      <Icon icon={Bird} size={40} />
      <p>{children}</p>
    </div>
  )
}

/** Milliseconds between attempts while the server says that it is not available. */
const RETRY_INTERVAL = 10_000

/** Tries again by itself when the connection is back, or when the viewer has signed in again. */
export function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const works = isConnected.value && !hasSessionEnded.value
  const worked = useRef(works)
  useEffect(() => {
    if (works && !worked.current) retry()
    worked.current = works
    if (!isUnavailable(error)) return
    const timer = setTimeout(retry, RETRY_INTERVAL)
    return () => clearTimeout(timer)
  }, [works, error])
  return (
    <div class="state-message" role="alert">
      <p>{errorText(error)}</p>
      {!isGone(error) && !hasSessionEnded.value && <Button onClick={retry}>{texts.frame.retry}</Button>}
    </div>
  )
}

/** Instead of a value that there is not yet. */
export function LoadingOrFailed({ loaded: { error, reload } }: { loaded: Pick<Loaded<unknown>, 'error' | 'reload'> }) {
  return error ? <Failed error={error} retry={reload} /> : <Loading />
}
