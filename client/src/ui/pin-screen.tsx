// A menu of screens that one comes back to: shows this one as a column, or in the navigation.
import { Columns3, PanelLeft, Pin } from 'lucide'
import { useContext, useEffect } from 'preact/hooks'
import { changeSettings, MOST_COLUMNS, MOST_SHORTCUTS, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { ColumnContext } from './column.ts'
import { Icon } from './icon.tsx'
import { Menu, type MenuItem } from './menu.tsx'
import { showToast } from './toasts.tsx'

/** `path`: the address of the screen; `title`: undefined until it is known. */
type PinProps = { path: string; title: string | undefined }

export function PinScreen({ path, title }: PinProps) {
  const { isPinned } = useContext(ColumnContext)
  const { columns, shortcuts } = settings.value
  const column = columns.find((each) => isSameAddress(each, path))
  const shortcut = shortcuts.find((each) => isSameAddress(each.path, path))
  // Lists and people may have new names.
  useEffect(() => {
    if (!shortcut || title === undefined || shortcut.label === title) return
    changeSettings({ shortcuts: shortcuts.map((each) => (each === shortcut ? { ...each, label: title } : each)) })
  }, [title])
  // A column has a menu of its own, which removes it.
  if (isPinned) return null
  const t = texts.columns
  const asColumn: MenuItem = {
    label: t.as_column,
    icon: Columns3,
    isOn: column !== undefined,
    disabled: column === undefined && columns.length >= MOST_COLUMNS,
    onSelect() {
      if (column !== undefined) return changeSettings({ columns: columns.filter((each) => each !== column) })
      changeSettings({ columns: [...columns, path] })
      showToast(t.column_added, { link: { label: texts.frame.deck, href: '/deck' } })
    },
  }
  const inNavigation: MenuItem = {
    label: t.in_navigation,
    icon: PanelLeft,
    isOn: shortcut !== undefined,
    disabled: shortcut === undefined && (shortcuts.length >= MOST_SHORTCUTS || title === undefined),
    onSelect() {
      if (shortcut) return changeSettings({ shortcuts: shortcuts.filter((each) => each !== shortcut) })
      changeSettings({ shortcuts: [...shortcuts, { path, label: title ?? path }] })
      showToast(t.shortcut_added)
    },
  }
  return <Menu label={t.pin} trigger={<Icon icon={Pin} />} items={() => [[asColumn, inNavigation]]} />
}

/** Letters may be encoded or not. */
const isSameAddress = (path: string, other: string): boolean =>
  new URL(path, location.origin).href === new URL(other, location.origin).href
