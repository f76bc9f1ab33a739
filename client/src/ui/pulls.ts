// Recognises that a finger pulls an area down that is scrolled to its top.

/** Pixels that the sign moves until letting go refreshes. */
export const PULL_FAR_ENOUGH = 64
/** The sign moves more slowly than the finger, and not further than this. */
const FARTHEST = 96
const SLOWNESS = 2

/** Elements that use such movements themselves. */
const OWN_TOUCH = 'dialog, [popover], input, textarea, select, video, audio, .pswp'

type PullOptions = {
  scroller: EventTarget
  isAtTop: () => boolean
  /** How far the sign moves. */
  onPull: (pulled: number) => void
  onRelease: (pulled: number) => void
}

type Pull = { x: number; y: number; pulled: number; isPulling: boolean }

/** Returns the function that ends listening. */
export function listenForPulls(area: HTMLElement, { scroller, isAtTop, onPull, onRelease }: PullOptions): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let pull: Pull | null = null
  const end = () => {
    if (pull?.isPulling) onRelease(pull.pulled)
    pull = null
  }
  const give = () => {
    if (pull?.isPulling) onRelease(0)
    pull = null
  }
  area.addEventListener(
    'touchstart',
    ({ touches, target }) => {
      give()
      const [touch] = touches
      if (!touch || touches.length > 1 || !isAtTop() || !mayPull(target as Element, area)) return
      pull = { x: touch.clientX, y: touch.clientY, pulled: 0, isPulling: false }
    },
    { signal, passive: true },
  )
  const move = (event: TouchEvent) => {
    const [touch] = event.touches
    if (!pull || !touch) return
    const down = touch.clientY - pull.y
    pull.isPulling ||= down > Math.abs(touch.clientX - pull.x) && isAtTop()
    // The first movement decides: upwards or sideways is for the browser.
    if (!pull.isPulling || !event.cancelable) return give()
    event.preventDefault()
    pull.pulled = Math.min(FARTHEST, Math.max(0, down / SLOWNESS))
    onPull(pull.pulled)
  }
  // Browsers wait for such a listener before they scroll: further down, there is none.
  const watch = () => {
    if (isAtTop()) area.addEventListener('touchmove', move, { signal, passive: false })
    else area.removeEventListener('touchmove', move)
  }
  watch()
  scroller.addEventListener('scroll', watch, { signal, passive: true })
  area.addEventListener('touchend', end, { signal })
  area.addEventListener('touchcancel', give, { signal })
  return () => controller.abort()
}

/** Not where something else is touched, or inside of what can be scrolled up itself. */
function mayPull(target: Element, area: HTMLElement): boolean {
  if (target.closest(OWN_TOUCH)) return false
  for (let each: Element | null = target; each && each !== area; each = each.parentElement)
    if (each.scrollTop > 0) return false
  return true
}
