// Screens side by side. Each column has its own address; the address of the window adds a column at the end.
import { ArrowLeft, ArrowRight, EllipsisVertical, GripVertical, Plus, X } from 'lucide'
import type { RefObject } from 'preact'
import { LocationProvider, useLocation } from 'preact-iso'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useScreenTitle } from '../state/screen-title.ts'
import { changeSettings, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuGroup } from '../ui/menu.tsx'
import { moved } from '../ui/moved.ts'
import { AddColumn } from './add-column.tsx'
import { Screens } from './screens.tsx'
import { wantedColumn } from './wanted-column.ts'
import './deck.css'

/** The data type of a dragged column. */
const DRAGGED = 'application/x-rookery-column'

/** The places of the column that is dragged and of the one that it is over. */
type Drag = { from: number; over: number | null }

export function Deck() {
  const { columns } = settings.value
  const [isAdding, setAdding] = useState(false)
  const [drag, setDrag] = useState<Drag | null>(null)
  useScreenTitle(texts.frame.deck)
  const deck = useRef<HTMLDivElement>(null)
  useFocus(deck, columns)
  return (
    <div ref={deck} class="deck" onDragEnd={() => setDrag(null)}>
      {columns.map((path, index) => (
        <DeckColumn key={path} path={path} index={index} drag={drag} setDrag={setDrag} />
      ))}
      <div class="deck-end">
        <Button icon={Plus} onClick={() => setAdding(true)}>
          {texts.appearance.add_column}
        </Button>
      </div>
      {isAdding && <AddColumn onClose={() => setAdding(false)} />}
    </div>
  )
}

/** The place of the column that had the focus when it was replaced, or when the deck was left. */
let left: number | null = null

/** A column that is replaced, and the way back to the deck, leave the focus at the column, so that keys go on there. */
function useFocus(deck: RefObject<HTMLElement | null>, columns: readonly string[]): void {
  useEffect(() => {
    if (left === null) return
    const place = left
    left = null
    // The screen before may leave after the deck has appeared.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const all = deck.current?.querySelectorAll<HTMLElement>('.column-scroller') ?? []
      all[Math.min(place, all.length - 1)]?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [columns])
  // Before the columns say which of them has the focus.
  useLayoutEffect(() => () => void (left ??= 0), [])
}

const move = (from: number, to: number): void => changeSettings({ columns: moved(settings.value.columns, from, to) })

type DeckColumnProps = { path: string; index: number; drag: Drag | null; setDrag: (drag: Drag | null) => void }

function DeckColumn({ path, index, drag, setDrag }: DeckColumnProps) {
  const column = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = column
    return () => {
      if (current?.contains(document.activeElement)) left = index
    }
  }, [index])
  const isWanted = wantedColumn.value === path
  useEffect(() => {
    if (!isWanted) return
    wantedColumn.value = null
    column.current?.scrollIntoView({ inline: 'nearest' })
    column.current?.querySelector<HTMLElement>('.column-scroller')?.focus({ preventScroll: true })
  }, [isWanted])
  return (
    <div
      ref={column}
      class="deck-column"
      data-dragged={drag?.from === index}
      data-landing={landingAt(index, drag)}
      onDragOver={(event) => {
        if (!drag) return
        event.preventDefault()
        if (drag.over !== index) setDrag({ ...drag, over: index })
      }}
      onDragLeave={({ relatedTarget }) => {
        if (drag?.over === index && !column.current?.contains(relatedTarget as Node | null))
          setDrag({ ...drag, over: null })
      }}
      onDrop={() => {
        if (drag) move(drag.from, index)
        setDrag(null)
      }}
    >
      <div
        class="column-controls"
        draggable
        onDragStart={({ dataTransfer }) => {
          dataTransfer?.setData(DRAGGED, path)
          if (column.current) dataTransfer?.setDragImage(column.current, 24, 24)
          setDrag({ from: index, over: null })
        }}
      >
        <span class="column-grip">
          <Icon icon={GripVertical} size={18} />
        </span>
        <Menu
          label={texts.appearance.column_options}
          trigger={<Icon icon={EllipsisVertical} />}
          items={() => columnItems(path, index)}
        />
      </div>
      <ColumnScreen path={path} />
    </div>
  )
}

/** The side of a column at which the dragged one lands when it is dropped here. */
function landingAt(index: number, drag: Drag | null): 'before' | 'after' | undefined {
  if (!drag || drag.over !== index || drag.from === index) return undefined
  return drag.from > index ? 'before' : 'after'
}

function columnItems(path: string, index: number): MenuGroup[] {
  const t = texts.appearance
  const { columns } = settings.peek()
  return [
    [
      { label: t.move_left, icon: ArrowLeft, disabled: index === 0, onSelect: () => move(index, index - 1) },
      {
        label: t.move_right,
        icon: ArrowRight,
        disabled: index === columns.length - 1,
        onSelect: () => move(index, index + 1),
      },
    ],
    [
      {
        label: t.remove_column,
        icon: X,
        onSelect: () => changeSettings({ columns: columns.filter((each) => each !== path) }),
      },
    ],
  ]
}

/** A screen with an address of its own. Links in it lead to the window's address. */
function ColumnScreen({ path: address }: { path: string }) {
  const window = useLocation()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const location = useMemo(() => {
    const url = new URL(address, 'https://column.invalid')
    return { ...window, url: address, path: url.pathname, query: Object.fromEntries(url.searchParams) }
  }, [address, window.route])
  const column = useMemo(() => ({ isPinned: true, scroller }), [scroller])
  return (
    <div class="column-scroller" ref={setScroller} tabIndex={-1}>
      {scroller && (
        <ColumnContext.Provider value={column}>
          <LocationProvider.ctx.Provider value={location}>
            <Screens />
          </LocationProvider.ctx.Provider>
        </ColumnContext.Provider>
      )}
    </div>
  )
}
