// What a place shows instead of content: that it loads, is empty, or could not load.
import { LoaderCircle } from 'lucide'
import type { ComponentChildren } from 'preact'
import { ApiError, isOffline } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import './state-message.css'

export function Loading() {
  return (
    <p class="state-message loading" role="status">
      <Icon icon={LoaderCircle} />
      <span class="visually-hidden">{texts.frame.loading}</span>
    </p>
  )
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="state-message">{children}</p>
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="state-message" role="alert">
      <p>{errorText(error)}</p>
      {retry && <Button onClick={retry}>{texts.frame.retry}</Button>}
    </div>
  )
}

function errorText(error: unknown): string {
  if (isOffline(error)) return texts.frame.offline_error
  if (error instanceof ApiError) {
    if (error.status === 404 || error.status === 410) return texts.frame.not_found
    if (error.message) return error.message
  }
  return texts.frame.error
}
