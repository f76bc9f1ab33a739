// Drag and drop in a list. Keyboards have buttons for the same.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Options = {
  onMove: (from: number, to: number) => void
  /** A selector: only these parts of an item drag it. */
  handle?: string
}

export function useSortable(list: RefObject<HTMLElement | null>, count: number, { onMove, handle }: Options): void {
  const move = useRef(onMove)
  move.current = onMove
  useEffect(() => {
    const element = list.current
    if (!element || count < 2) return
    let stop: (() => void) | null = null
    let isGone = false
    void import('sortablejs').then(({ default: Sortable }) => {
      if (isGone) return
      const sortable = Sortable.create(element, {
        animation: 150,
        delay: 150,
        delayOnTouchOnly: true,
        ...(handle ? { handle } : {}),
        onEnd: ({ item, oldIndex = 0, newIndex = 0 }) => {
          // The list renders the new order itself, so the elements go back to where it knows them.
          item.remove()
          element.insertBefore(item, element.children[oldIndex] ?? null)
          if (oldIndex !== newIndex) move.current(oldIndex, newIndex)
        },
      })
      stop = () => sortable.destroy()
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [count < 2, handle])
}
