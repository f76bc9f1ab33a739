// Removing a row takes the button that was pressed for it out of the document, and the browser moves the focus to its start.

/**
 * Where the focus stays: the root is for what stands beside the screens, such as toasts. A screen or dialog that is gone as a whole is
 * followed by one that takes the focus itself.
 */
const SCOPE = 'dialog, .page, #app'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'

/**
 * When a pressed button is removed, the focus goes to what came in its place, the next row, the one before, or the heading. Returns a
 * function that ends this.
 */
export function keepFocus(): () => void {
  let pressed: Element | null = null
  const observer = new MutationObserver((records) => {
    if (!pressed || pressed.isConnected) return
    const place = document.activeElement === document.body ? placeOf(pressed, records) : null
    stop()
    place?.focus({ preventScroll: true })
  })
  const stop = (): void => {
    pressed = null
    observer.disconnect()
  }
  const remember = ({ target }: Event): void => {
    stop()
    // A gap of a timeline, itself an item of the list, leads on to its first post.
    const button = (target as Element).closest('button:not([data-item])')
    const scope = button?.closest(SCOPE)
    if (!scope || button !== document.activeElement) return
    pressed = button
    observer.observe(scope, { childList: true, subtree: true })
  }
  const listening = new AbortController()
  const { signal } = listening
  addEventListener('click', remember, { capture: true, signal })
  // Lists remove what is scrolled out of view.
  addEventListener('scroll', stop, { capture: true, passive: true, signal })
  return () => {
    stop()
    listening.abort()
  }
}

function placeOf(gone: Element, records: readonly MutationRecord[]): HTMLElement | null {
  const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)))
  if (!removal) return null
  const { target, nextSibling, previousSibling } = removal
  const inPlace =
    previousSibling === null
      ? target.firstChild
      : previousSibling.isConnected
        ? previousSibling.nextSibling
        : nextSibling
  for (const node of [inPlace, inPlace?.nextSibling, previousSibling]) {
    // The next press of a key must not leave the screen by the back button.
    if (!(node instanceof HTMLElement) || !node.isConnected || node.matches('.page-top')) continue
    const found = node.matches(FOCUSABLE) ? node : node.querySelector<HTMLElement>(FOCUSABLE)
    if (found) return found
  }
  const heading = (target as Element).closest(SCOPE)?.querySelector<HTMLElement>('h1, h2') ?? null
  if (heading) heading.tabIndex = -1
  return heading
}
