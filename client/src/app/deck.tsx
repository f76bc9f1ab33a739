// Screens side by side. Each column has its own address; the address of the window adds a column at the end.
import { ArrowLeft, ArrowRight, EllipsisVertical, GripVertical, Plus, X } from 'lucide'
import { LocationProvider, useLocation } from 'preact-iso'
import { useMemo, useState } from 'preact/hooks'
import { changeSettings, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { AddColumn } from './add-column.tsx'
import { Screens } from './screens.tsx'
import './deck.css'

/** The data type of a dragged column: its place. */
const DRAGGED = 'application/x-rookery-column'

export function Deck() {
  const { columns } = settings.value
  const [isAdding, setAdding] = useState(false)
  return (
    <div class="deck">
      {columns.map((path, index) => (
        <DeckColumn key={path} path={path} index={index} />
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

function move(from: number, to: number): void {
  const columns = [...settings.value.columns]
  const [moved] = columns.splice(from, 1)
  if (moved === undefined || to < 0 || to > columns.length) return
  columns.splice(to, 0, moved)
  changeSettings({ columns })
}

function DeckColumn({ path, index }: { path: string; index: number }) {
  return (
    <div
      class="deck-column"
      onDragOver={(event) => event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={(event) => {
        const dragged = event.dataTransfer?.getData(DRAGGED)
        if (dragged) move(Number(dragged), index)
      }}
    >
      <div
        class="column-controls"
        draggable
        onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, String(index))}
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

function columnItems(path: string, index: number): MenuItem[][] {
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
