// A screen: its header with a back button, and its content. In a deck, each column is one.
import { ArrowLeft } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useLocation, useRoute } from 'preact-iso'
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { RecentMap } from '../state/recent-map.ts'
import { useScreenTitle } from '../state/screen-title.ts'
import { texts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { ColumnContext } from './column.ts'
import './page.css'

type PageProps = {
  title: string
  /** The title with markup, such as custom emojis. */
  heading?: ComponentChildren
  /** Buttons at the end of the header. */
  actions?: ComponentChildren
  /** Below the header, such as tabs. It stays in view. */
  bar?: ComponentChildren
  /** Top-level screens have no back button. */
  isTop?: boolean
  children: ComponentChildren
}

export function Page({ title, heading = title, actions, bar, isTop = false, children }: PageProps) {
  const { isPinned, scroller } = useContext(ColumnContext)
  const location = useLocation()
  useScreenTitle(isPinned ? null : title)
  const page = useRef<HTMLElement>(null)
  const top = useRef<HTMLHeadingElement>(null)
  useFocus(isPinned ? null : top, page)
  return (
    <section ref={page} class="page" aria-label={title}>
      {!isPinned && <ScrollReset />}
      <div class="page-top">
        <header
          class="page-header"
          onClick={({ target }) =>
            !(target as Element).closest('a, button, dialog') && (scroller ?? window).scrollTo({ top: 0 })
          }
        >
          <div class="page-title">
            {!isTop && !isPinned && (
              <IconButton icon={ArrowLeft} label={texts.frame.back} onClick={() => goBack(location)} />
            )}
            <h1 ref={top} tabIndex={-1}>
              <bdi>{heading}</bdi>
            </h1>
          </div>
          {actions && <div class="page-actions">{actions}</div>}
        </header>
        {bar && <div class="page-bar">{bar}</div>}
      </div>
      {children}
    </section>
  )
}

/** False on the way back or forward to a screen. The router has it, but its types do not name it. */
export const useWasPush = (): boolean => (useLocation() as unknown as { wasPush: boolean }).wasPush

/** Which status had the focus when a screen was left, by the path of the screen. */
const left = new RecentMap<string>(50)

/** False for the first screen: a page that has just been loaded is read from its beginning. */
let hasLeft = false

/**
 * The link that led here may be gone, and the focus with it: keyboards and screen readers go on at the heading, and on the way back
 * at the status that led away.
 */
function useFocus(target: RefObject<HTMLElement | null> | null, page: RefObject<HTMLElement | null>): void {
  const { path } = useRoute()
  const wasPush = useWasPush()
  useEffect(() => {
    if (!target) return
    // The screen before may leave after this one has appeared.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const status = !wasPush && page.current?.querySelector<HTMLElement>(`[data-status="${left.get(path) ?? ''}"]`)
      const next = status || (hasLeft && target.current)
      if (next) next.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [path])
  useLayoutEffect(() => {
    const { current } = page
    return () => {
      hasLeft = true
      const focused = current?.contains(document.activeElement) ? document.activeElement : null
      const status = focused?.closest<HTMLElement>('[data-status]')?.dataset.status
      if (target && status !== undefined) left.set(path, status)
    }
  }, [path])
}

/** TypeScript's types and older browsers lack it. */
const { navigation } = window as { navigation?: { canGoBack: boolean } }

/** A screen that was opened by its address has none before it, though the tab may have shown other sites. */
export function goBack({ back, route }: Pick<ReturnType<typeof useLocation>, 'back' | 'route'>): void {
  if (navigation?.canGoBack ?? history.length > 1) back()
  else route('/home')
}

/** How far down a screen was, by its path. */
const scrolled = new RecentMap<number>(50)

/**
 * A new address begins at the top, and one that is gone back to where it was left. It comes before the content, so that its effect
 * runs before that of a list, which restores its own position more precisely.
 */
function ScrollReset() {
  const { path } = useRoute()
  const { path: address } = useLocation()
  const wasPush = useWasPush()
  // While the next screen loads, this one is still there, but the address is already another.
  const isCurrent = useRef(true)
  isCurrent.current = address === path
  useLayoutEffect(() => {
    scrollTo(0, wasPush ? 0 : (scrolled.get(path) ?? 0))
    const remember = () => isCurrent.current && void scrolled.set(path, scrollY)
    const watching = new AbortController()
    // A click may come before the event of the scrolling that led to it.
    for (const event of ['scroll', 'click'])
      addEventListener(event, remember, { capture: true, passive: true, signal: watching.signal })
    return () => watching.abort()
  }, [path])
  return null
}
