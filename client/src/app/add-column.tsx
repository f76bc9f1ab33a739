import { Check, Plus } from 'lucide'
import { api, read } from '../api/client.ts'
import { useLoaded } from '../state/loaded.ts'
import { changeSettings, MOST_COLUMNS, settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import './add-column.css'

/** Offers every screen that makes sense as a column, lists and followed hashtags included. */
export function AddColumn({ onClose }: { onClose: () => void }) {
  const t = texts.frame
  const lists = useLoaded(() => read(api.GET('/api/v1/lists')), [])
  const tags = useLoaded(() => read(api.GET('/api/v1/followed_tags')), [])
  const choices = [
    { path: '/home', label: t.home },
    { path: '/notifications', label: t.notifications },
    { path: '/public/local', label: t.local },
    { path: '/public', label: t.federated },
    { path: '/public/remote', label: t.remote },
    { path: '/conversations', label: t.conversations },
    { path: '/bookmarks', label: t.bookmarks },
    { path: '/favourites', label: t.favourites },
    { path: '/explore', label: t.explore },
    ...(lists.value ?? []).map(({ id, title }) => ({ path: `/lists/${id}`, label: title })),
    ...(tags.value ?? []).map(({ name }) => ({ path: `/tags/${encodeURIComponent(name)}`, label: `#${name}` })),
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
