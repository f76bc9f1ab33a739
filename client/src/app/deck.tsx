// Screens side by side. Each column has its own address; the address of the window adds a column at the end.
import { ArrowLeft, ArrowRight, Plus, X } from 'lucide'
import { LocationProvider, useLocation } from 'preact-iso'
import { useMemo, useState } from 'preact/hooks'
import { changeSettings, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
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
  const t = texts.appearance
  const last = settings.value.columns.length - 1
  return (
    <div
      class="deck-column"
      onDragOver={(event) => event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={(event) => move(Number(event.dataTransfer?.getData(DRAGGED)), index)}
    >
      <div
        class="column-controls"
        draggable
        onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, String(index))}
      >
        <IconButton
          icon={ArrowLeft}
          label={t.move_left}
          disabled={index === 0}
          onClick={() => move(index, index - 1)}
        />
        <IconButton
          icon={ArrowRight}
          label={t.move_right}
          disabled={index === last}
          onClick={() => move(index, index + 1)}
        />
        <IconButton
          icon={X}
          label={t.remove_column}
          onClick={() => changeSettings({ columns: settings.value.columns.filter((each) => each !== path) })}
        />
      </div>
      <ColumnScreen path={path} />
    </div>
  )
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
