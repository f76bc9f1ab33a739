// Tabs that are addresses: links, of which one is the current page.
import { useLayoutEffect, useRef } from 'preact/hooks'
import './tabs.css'

export type Tab = { href: string; label: string }

export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  const nav = useRef<HTMLElement>(null)
  // Of many tabs on a narrow screen, the current one is in the middle.
  useLayoutEffect(() => {
    const box = nav.current?.getBoundingClientRect()
    const tab = nav.current?.querySelector('[aria-current]')?.getBoundingClientRect()
    if (box && tab) nav.current?.scrollBy(tab.left + tab.width / 2 - box.left - box.width / 2, 0)
  }, [current])
  return (
    <nav
      ref={nav}
      class="tabs"
      aria-label={label}
      onWheel={scrollAcross}
      onFocusIn={({ target }) => showFocused(target as Element)}
    >
      {tabs.map(({ href, label: text }) => (
        <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}

/** Browsers leave a tab in its place of which an edge is in view. One that is pressed must not move away from the finger. */
function showFocused(tab: Element): void {
  if (tab.matches(':focus-visible')) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Most mice have one wheel. */
function scrollAcross(event: WheelEvent & { currentTarget: HTMLElement }): void {
  const { currentTarget, deltaX, deltaY } = event
  if (deltaX !== 0 || currentTarget.scrollWidth <= currentTarget.clientWidth) return
  event.preventDefault()
  currentTarget.scrollBy(getComputedStyle(currentTarget).direction === 'rtl' ? -deltaY : deltaY, 0)
}
