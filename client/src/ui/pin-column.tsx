// A button of screens that make sense as columns: adds this one to the columns, or removes it.
import { Columns3 } from 'lucide'
import { useContext } from 'preact/hooks'
import { changeSettings, MOST_COLUMNS, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { ColumnContext } from './column.ts'
import { showToast } from './toasts.tsx'

/** `path`: the address of the screen. */
export function PinColumn({ path }: { path: string }) {
  const { isPinned } = useContext(ColumnContext)
  const { columns } = settings.value
  const column = columns.find((each) => isSameAddress(each, path))
  // A column has a menu of its own, which removes it.
  if (isPinned) return null
  const t = texts.appearance
  const add = () => {
    changeSettings({ columns: [...columns, path] })
    showToast(texts.columns.added, { link: { label: texts.frame.deck, href: '/deck' } })
  }
  return (
    <IconButton
      icon={Columns3}
      label={texts.columns.pin}
      title={column === undefined ? t.add_column : t.remove_column}
      pressed={column !== undefined}
      disabled={column === undefined && columns.length >= MOST_COLUMNS}
      onClick={() =>
        column === undefined ? add() : changeSettings({ columns: columns.filter((each) => each !== column) })
      }
    />
  )
}

/** Letters may be encoded or not. */
const isSameAddress = (path: string, other: string): boolean =>
  new URL(path, location.origin).href === new URL(other, location.origin).href
