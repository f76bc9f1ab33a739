// Which link to an account the mouse rests on, or the keyboard: its card is shown after a moment. Never on touch.
import { signal } from '@preact/signals'

/** Milliseconds: the card must not flicker over what is being read, nor close on the way to it. */
const OPEN_DELAY = 500
const CLOSE_DELAY = 250

export const hoveredLink = signal<HTMLElement | null>(null)

let timer: ReturnType<typeof setTimeout> | undefined

function plan(link: HTMLElement | null): void {
  clearTimeout(timer)
  timer = setTimeout(() => (hoveredLink.value = link), link ? OPEN_DELAY : CLOSE_DELAY)
}

export function closeHoverCard(): void {
  clearTimeout(timer)
  hoveredLink.value = null
}

function follow(target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  if (target.closest('.hover-card')) return clearTimeout(timer)
  // The document names the viewer's account in the same way.
  const link = target.closest<HTMLElement>('body [data-account]')
  if (!link && !hoveredLink.peek()) clearTimeout(timer)
  else if (link === hoveredLink.peek()) clearTimeout(timer)
  else plan(link)
}

let mouse = { x: -1, y: -1, over: null as EventTarget | null }

/** Content may move below the mouse, as when posts arrive: then no one asked for a card. */
function followMouse({ pointerType, screenX: x, screenY: y, target: over }: PointerEvent): void {
  if (pointerType !== 'mouse' || (x === mouse.x && y === mouse.y)) return
  if (over !== mouse.over) follow(over)
  mouse = { x, y, over }
}

/** Returns the function that stops. */
export function watchLinks(): () => void {
  const stop = new AbortController()
  const { signal: ends } = stop
  const passive = { signal: ends, passive: true }
  document.addEventListener('pointermove', followMouse, passive)
  document.addEventListener(
    'focusin',
    ({ target }) => target instanceof Element && target.matches(':focus-visible') && follow(target),
    passive,
  )
  document.addEventListener('pointerdown', ({ target }) => !isInCard(target) && closeHoverCard(), passive)
  addEventListener('popstate', closeHoverCard, { signal: ends })
  // Columns of the deck scroll, too, and their events do not bubble.
  document.addEventListener('scroll', ({ target }) => !isInCard(target) && closeHoverCard(), {
    ...passive,
    capture: true,
  })
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !hoveredLink.peek()) return
      // In a dialog, Escape means the dialog or what is open in it.
      if (!(event.target instanceof Element && event.target.closest('dialog'))) event.stopPropagation()
      closeHoverCard()
    },
    { signal: ends, capture: true },
  )
  return () => {
    stop.abort()
    closeHoverCard()
  }
}

const isInCard = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.hover-card') !== null
