// The button that shows new items. They wait behind it, so that nothing moves while the viewer reads.
import { ArrowUp } from 'lucide'
import { useContext } from 'preact/hooks'
import { Button } from './button.tsx'
import { ColumnContext } from './column.ts'
import './new-pill.css'

type NewPillProps = {
  count: number
  label: (values: { count: number }) => string
  show: () => void | Promise<void>
  /** Replies are added where they belong: the reader stays in place. */
  staysInPlace?: boolean
}

/** As a press on the pill of the current screen. Does nothing while it has none. */
export const showNew = (): void => document.querySelector<HTMLElement>('#main .new-pill button')?.click()

export function NewPill({ count, label, show, staysInPlace = false }: NewPillProps) {
  const { scroller } = useContext(ColumnContext)
  const showAll = async () => {
    await show()
    if (staysInPlace) return
    requestAnimationFrame(() => {
      ;(scroller ?? window).scrollTo({ top: 0 })
      // The button has gone, and the focus with it.
      if (document.activeElement !== document.body) return
      const list = (scroller ?? document).querySelector('[role=list]')
      list?.querySelector<HTMLElement>('[tabindex="0"], a')?.focus({ preventScroll: true })
    })
  }
  return (
    <div class="new-pill" role="status">
      {count > 0 && (
        <Button kind="primary" icon={ArrowUp} onClick={() => void showAll()}>
          {label({ count })}
        </Button>
      )}
    </div>
  )
}
