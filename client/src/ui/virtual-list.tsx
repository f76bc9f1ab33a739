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
import type { ComponentChildren, RefObject } from 'preact'
import { useLocation, useRoute } from 'preact-iso'
import { useContext, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { Boundary } from './boundary.tsx'
import { ColumnContext } from './column.ts'

/** Where a list was, to show it there again. */
export type ListPosition = { offset: number; measurements: VirtualItem[] }

type VirtualListProps<T> = {
  items: readonly T[]
  keyOf: (item: T) => string
  render: (item: T, index: number) => ComponentChildren
  label: string
  /** Called when the end comes into view; once per length of the list. Leave it out while the list cannot grow. */
  onEnd?: () => void
  /** After the last item. */
  footer?: ComponentChildren
  /** Pixels of an item that was not measured yet. */
  estimate?: number
  /** Where the list was when it was left, to show it there again. */
  position?: ListPosition | null
  /** Called when scrolling stops and when the list goes away. */
  onPosition?: (position: ListPosition) => void
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, render, label, onEnd, footer } = props
  const list = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer(props, list)
  usePosition(virtualizer, props)
  useStillness(virtualizer, items)
  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 5) onEnd?.()
  }, [last, items.length, onEnd === undefined])
  const start = (shown[0]?.start ?? 0) - virtualizer.options.scrollMargin
  // Chromium paints the whole page again when the height of a box changes by a fraction.
  const height = Math.ceil(virtualizer.getTotalSize())
  return (
    <div ref={list}>
      <div style={{ height: `${height}px`, position: 'relative' }}>
        {/* Padding leaves the items in their places when the first one goes; a transform would have all painted again. */}
        <div role="list" aria-label={label} style={{ paddingTop: `${Math.max(0, start)}px` }}>
          {shown.map(({ key, index }) => {
            const item = items[index]
            return (
              item !== undefined && (
                <div
                  key={key}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  role="listitem"
                  aria-posinset={index + 1}
                  aria-setsize={-1}
                >
                  <Boundary of={String(key)}>{render(item, index)}</Boundary>
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

function useVirtualizer<T>(props: VirtualListProps<T>, list: RefObject<HTMLDivElement | null>): ListVirtualizer {
  const { items, estimate = 180, position } = props
  const { scroller } = useContext(ColumnContext)
  const [, update] = useReducer((count: number) => count + 1, 0)
  const current = useRef(props)
  current.current = props
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
    return stop
  }, [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  return virtualizer
}

/** Begins where the list was left, and reports where it is. */
function usePosition<T>(virtualizer: ListVirtualizer, { position, onPosition }: VirtualListProps<T>): void {
  // While the next screen loads, the router still shows this one, and the next one scrolls to its top: not this list's position.
  const isLeaving = useLocation().path !== useRoute().path
  const report = () => {
    if (isLeaving) return
    onPosition?.({ offset: virtualizer.scrollOffset ?? 0, measurements: virtualizer.takeSnapshot() })
  }
  // Not before the first scrolling: a position that is being restored is not reached yet.
  useEffect(() => (virtualizer.isScrolling ? report : undefined), [virtualizer.isScrolling])
  useLayoutEffect(() => (isLeaving ? undefined : report), [isLeaving, virtualizer])
  useLayoutEffect(() => {
    if (position) virtualizer.scrollToOffset(position.offset)
  }, [virtualizer])
}

/** When items above the visible ones come or go, scrolls by as much, so that what is being read stays where it is. */
function useStillness(virtualizer: ListVirtualizer, items: readonly unknown[]): void {
  const visible = useRef<VirtualItem[]>([])
  useLayoutEffect(() => {
    const keys = items.map((_, at) => virtualizer.options.getItemKey(at))
    // The first one may be among those that go.
    const before = visible.current.find(({ key }) => keys.includes(key))
    const now = before && virtualizer.measurementsCache[keys.indexOf(before.key)]
    if (now && now.start !== before.start) virtualizer.scrollBy(now.start - before.start)
  }, [items])
  const top = virtualizer.scrollOffset ?? 0
  // At the very top there is nothing above to make up for.
  const below = top > virtualizer.options.scrollMargin ? virtualizer.getVirtualItems() : []
  useLayoutEffect(() => void (visible.current = below.filter(({ end }) => end > top)))
}

type ListVirtualizer = Virtualizer<HTMLElement | Window, HTMLElement>

function createVirtualizer(
  scroller: HTMLElement | null,
  estimate: number,
  position: ListPosition | null,
  update: (action: number) => void,
): ListVirtualizer {
  const shared = {
    count: 0,
    estimateSize: () => estimate,
    overscan: 4,
    measureElement: heightOf,
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
    }) as unknown as ListVirtualizer
  return new Virtualizer<Window, HTMLElement>({
    ...shared,
    getScrollElement: () => window,
    scrollToFn: windowScroll,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
  }) as unknown as ListVirtualizer
}

/** With its fractions: rounded heights would move every item, and paint it again, when one leaves the document. */
function heightOf<T extends HTMLElement | Window>(
  item: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  { itemSizeCache, options, indexFromElement }: Virtualizer<T, HTMLElement>,
): number {
  const known = (): number | undefined => itemSizeCache.get(options.getItemKey(indexFromElement(item)))
  return entry?.borderBoxSize[0]?.blockSize ?? known() ?? item.getBoundingClientRect().height
}

/** Pixels between the top of the scrolled content and the list. */
function marginOf(list: HTMLElement, scroller: HTMLElement | null): number {
  const top = list.getBoundingClientRect().top
  return scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + scrollY
}
