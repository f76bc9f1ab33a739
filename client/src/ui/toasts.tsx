// Short messages about what just happened, with an undo where there is one. Screen readers read them out.
import { signal } from '@preact/signals'
import { X } from 'lucide'
import { useId, useLayoutEffect } from 'preact/hooks'
import { isOffline } from '../api/client.ts'
import { untilOnline } from '../api/connection.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from './button.tsx'
import { errorText } from './error-text.ts'
import './toasts.css'

type Options = {
  isError?: boolean
  /** It is true only until the server can be reached again. */
  isOffline?: boolean
  action?: { label: string; onSelect: () => void }
  /** Instead of an action: where it leads. */
  link?: { label: string; href: string }
  /** Called when the message goes and its action was not chosen. */
  onUnused?: () => void
}

type Toast = Options & { id: number; text: string }

/** Milliseconds; errors stay until closed. */
const DURATION = 6000

const toasts = signal<Toast[]>([])
let lastId = 0

/** How many show at once. */
const MAX_SHOWN = 3

/** Returns its id. */
function addToast(text: string, options: Options): number {
  const id = (lastId += 1)
  // An error that stays is not said twice, such as when several acts fail without a network.
  for (const same of toasts.value.filter((each) => options.isError && each.text === text)) closeToast(same.id)
  for (const oldest of toasts.value.slice(0, 1 - MAX_SHOWN)) closeToast(oldest.id)
  toasts.value = [...toasts.value, { ...options, id, text }]
  if (!options.isError) expireLater(id)
  if (options.isOffline) void untilOnline().then(() => closeToast(id))
  return id
}

export const showToast = (text: string, options: Options = {}): void => void addToast(text, options)

const expireLater = (id: number): unknown => setTimeout(() => expire(id), DURATION)

/** A message that the viewer is about to use stays. */
function expire(id: number): void {
  if (document.querySelector('.toasts:is(:hover, :focus-within)')) expireLater(id)
  else closeToast(id)
}

/** Says why an act failed. */
export function showError(error: unknown): void {
  const id = addToast(errorText(error), { isError: true })
  if (isOffline(error)) void expireOnceOnline(id)
}

/** It is no longer true once the server can be reached again. */
async function expireOnceOnline(id: number): Promise<void> {
  await untilOnline()
  expireLater(id)
}

function removeToast(id: number): Toast | undefined {
  const removed = toasts.value.find((toast) => toast.id === id)
  toasts.value = toasts.value.filter((toast) => toast !== removed)
  return removed
}

const closeToast = (id: number): void => removeToast(id)?.onUnused?.()

/** Ids of the places for messages, the last one on top: what is below a modal dialog is neither in view nor read out. */
const places = signal<readonly string[]>([])

/** The frame and each dialog render it. */
export function Toasts() {
  const place = useId()
  useLayoutEffect(() => {
    places.value = [...places.peek(), place]
    return () => void (places.value = places.peek().filter((each) => each !== place))
  }, [])
  const shown = places.value.at(-1) === place ? toasts.value : []
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, isError, action, link }) => (
        <div key={id} class={isError ? 'toast error' : 'toast'} role={isError ? 'alert' : undefined}>
          <span>{text}</span>
          {action && (
            <Button
              kind="quiet"
              onClick={() => {
                removeToast(id)
                action.onSelect()
              }}
            >
              {action.label}
            </Button>
          )}
          {link && (
            <a class="button quiet" href={link.href} onClick={() => closeToast(id)}>
              {link.label}
            </a>
          )}
          <IconButton icon={X} label={texts.frame.close} onClick={() => closeToast(id)} />
        </div>
      ))}
    </div>
  )
}
