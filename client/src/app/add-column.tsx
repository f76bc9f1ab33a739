import { Check, Plus } from 'lucide'
import { changeSettings, MOST_COLUMNS, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DESTINATIONS } from './destinations.ts'
import { useFollowed } from './followed.ts'
import './add-column.css'

/** Offers every screen that makes sense as a column, lists and followed hashtags included. */
export function AddColumn({ onClose }: { onClose: () => void }) {
  const { lists, tags } = useFollowed()
  const choices = [
    ...DESTINATIONS.filter(({ isColumn }) => isColumn).map(({ path, label }) => ({ path, label: label() })),
    ...lists,
    ...tags,
  ]
  const { columns } = settings.value
  const add = (path: string) => {
    changeSettings({ columns: [...columns, path] })
    onClose()
  }
  return (
    <Dialog title={texts.appearance.add_column} onClose={onClose}>
      <ul class="column-choices">
        {choices.map(({ path, label }) => (
          <li key={path}>
            <Button
              kind="quiet"
              icon={columns.includes(path) ? Check : Plus}
              disabled={columns.includes(path) || columns.length >= MOST_COLUMNS}
              onClick={() => add(path)}
            >
              <bdi>{label}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
