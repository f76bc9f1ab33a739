// A long list of which only the part in view is in the document. Items have any height and may change it.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
  type VirtualItem,
} from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { ColumnContext } from './column.ts'

/** Where a list was, to show it there again. */
export type ListPosition = { offset: number; measurements: VirtualItem[] }

type VirtualListProps<T> = {
  items: readonly T[]
  keyOf: (item: T) => string
  render: (item: T, index: number) => ComponentChildren
  label: string
  /** Called when the end comes into view; once per length of the list. */
  onEnd?: () => void
  /** After the last item. */
  footer?: ComponentChildren
  /** Pixels of an item that was not measured yet. */
  estimate?: number
  /** Where the list was when it was left, and where it stores that. */
  position?: ListPosition | null
  onLeave?: (position: ListPosition) => void
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, render, label, onEnd, footer, estimate = 180, position, onLeave } = props
  const { scroller } = useContext(ColumnContext)
  const list = useRef<HTMLDivElement>(null)
  const [, update] = useReducer((count: number) => count + 1, 0)
  const current = useRef({ items, keyOf })
  current.current = { items, keyOf }
  const virtualizer = useMemo(() => createVirtualizer(scroller, estimate, position ?? null, update), [scroller])
  virtualizer.setOptions({
    ...virtualizer.options,
    count: items.length,
    getItemKey: (index) => current.current.keyOf(current.current.items[index] as T),
    scrollMargin: list.current ? marginOf(list.current, scroller) : 0,
  })
  useLayoutEffect(() => {
    const stop = virtualizer._didMount()
    update(0)
    return () => {
      onLeave?.({ offset: virtualizer.scrollOffset ?? 0, measurements: virtualizer.takeSnapshot() })
      stop()
    }
  }, [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 5) onEnd?.()
  }, [last, items.length])
  const start = (shown[0]?.start ?? 0) - virtualizer.options.scrollMargin
  return (
    <div ref={list} role="feed" aria-label={label}>
      <div style={{ height: `${virtualizer.getTotalSize()}px`, position: 'relative' }}>
        <div style={{ transform: `translateY(${Math.max(0, start)}px)` }}>
          {shown.map(({ key, index }) => {
            const item = items[index]
            return (
              item !== undefined && (
                <div key={key} data-index={index} ref={virtualizer.measureElement}>
                  {render(item, index)}
                </div>
              )
            )
          })}
        </div>
      </div>
      {footer}
    </div>
  )
}

function createVirtualizer(
  scroller: HTMLElement | null,
  estimate: number,
  position: ListPosition | null,
  update: (action: number) => void,
): Virtualizer<HTMLElement | Window, HTMLElement> {
  const shared = {
    count: 0,
    estimateSize: () => estimate,
    overscan: 4,
    initialOffset: position?.offset ?? 0,
    initialMeasurementsCache: position?.measurements ?? [],
    onChange: () => update(0),
  }
  if (scroller)
    return new Virtualizer<HTMLElement, HTMLElement>({
      ...shared,
      getScrollElement: () => scroller,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
    }) as unknown as Virtualizer<HTMLElement | Window, HTMLElement>
  return new Virtualizer<Window, HTMLElement>({
    ...shared,
    getScrollElement: () => window,
    scrollToFn: windowScroll,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
  }) as unknown as Virtualizer<HTMLElement | Window, HTMLElement>
}

/** Pixels between the start of what scrolls and the list. */
function marginOf(list: HTMLElement, scroller: HTMLElement | null): number {
  const top = list.getBoundingClientRect().top
  return scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + scrollY
}
