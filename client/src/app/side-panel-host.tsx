// The place beside the screen where wide windows have room for more. Its content is loaded after the first screen.
import { computed, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { withTexts } from '../ui/lazy.tsx'
import { loadCode } from '../ui/load-code.ts'
import './side-panel.css'

/** In rem: what navigation, screen and panel need. The stylesheet has their widths, and the same limit for the usual letters. */
const WIDTH = 78

const fontSize = computed(() => Math.max(100, settings.value.fontSize))

/** Media queries count in the browser's own font size. */
const room = computed(() => {
  const query = matchMedia(`(min-width: ${(WIDTH * fontSize.value) / 100}rem)`)
  const fits = signal(query.matches)
  query.addEventListener('change', ({ matches }) => (fits.value = matches))
  return fits
})

export const hasSidePanel = computed(() => settings.value.sidePanel && room.value.value)

/** Milliseconds after the start. */
const DELAY = 1000

/** The frame renders it once. Beside columns, there is no room for it. */
export function SidePanelHost() {
  const { path } = useLocation()
  return hasSidePanel.value && path !== '/deck' ? <Place /> : null
}

function Place() {
  const [Panel, setPanel] = useState<ComponentType | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      loadCode(() => withTexts(() => import('./side-panel.tsx'))).then(
        (loaded) => setPanel(() => loaded.SidePanel),
        console.warn,
      )
    }, DELAY)
    return () => clearTimeout(timer)
  }, [])
  return (
    <aside class="side-panel" aria-label={texts.frame.side_panel}>
      {Panel && <Panel />}
    </aside>
  )
}
