// Short messages about what just happened, with an undo where there is one. Screen readers read them out.
import { signal } from '@preact/signals'
import { X } from 'lucide'
import { texts } from '../texts.ts'
import { Button, IconButton } from './button.tsx'
import { errorText } from './error-text.ts'
import './toasts.css'

type Toast = { id: number; text: string; isError: boolean; action?: { label: string; onSelect: () => void } }

/** Milliseconds; errors stay until closed. */
const DURATION = 6000

const toasts = signal<Toast[]>([])
let lastId = 0

export function showToast(text: string, options: { isError?: boolean; action?: Toast['action'] } = {}): void {
  const { isError = false, action } = options
  const id = (lastId += 1)
  toasts.value = [...toasts.value.slice(-2), { id, text, isError, ...(action ? { action } : {}) }]
  if (!isError) setTimeout(() => expire(id), DURATION)
}

/** A message that the viewer is about to use stays. */
function expire(id: number): void {
  if (document.querySelector('.toasts:is(:hover, :focus-within)')) setTimeout(() => expire(id), DURATION)
  else closeToast(id)
}

/** Says why an act failed. */
export function showError(error: unknown): void {
  showToast(errorText(error), { isError: true })
}

function closeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** The frame renders it once. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isError, action }) => (
        <div key={id} class={isError ? 'toast error' : 'toast'} {...(isError ? { role: 'alert' } : {})}>
          <span>{text}</span>
          {action && (
            <Button
              kind="quiet"
              onClick={() => {
                closeToast(id)
                action.onSelect()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton icon={X} label={texts.frame.close} onClick={() => closeToast(id)} />
        </div>
      ))}
    </div>
  )
}
