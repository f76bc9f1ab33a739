import { List as ListIcon, Pencil, Plus } from 'lucide'
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { List } from '../api/entities.ts'
import { useCached } from '../state/cached.ts'
import { language, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { ListForm, type ListValues } from './list-form.tsx'
import './lists.css'

export function ListsScreen() {
  const lists = useCached('lists', () => read(api.GET('/api/v1/lists')))
  const { route } = useLocation()
  const [isCreating, setCreating] = useState(false)
  const t = texts.lists
  const create = async (body: ListValues) => {
    const list = await read(api.POST('/api/v1/lists', { body }))
    lists.change((now) => [...now, list])
    route(`/lists/${list.id}/edit`)
  }
  return (
    <Page
      title={texts.frame.lists}
      isTop
      actions={
        <Button kind="quiet" icon={Plus} onClick={() => setCreating(true)}>
          {t.new_list}
        </Button>
      }
    >
      {!lists.value ? (
        <LoadingOrFailed loaded={lists} />
      ) : lists.value.length === 0 ? (
        <Empty>{t.lists_empty}</Empty>
      ) : (
        <ul class="rows">
          {lists.value
            .toSorted((a, b) => a.title.localeCompare(b.title, language))
            .map((list) => (
              <ListRow key={list.id} list={list} />
            ))}
        </ul>
      )}
      {isCreating && (
        <Dialog title={t.new_list} onClose={() => setCreating(false)}>
          <ListForm action={t.create} save={create} />
        </Dialog>
      )}
    </Page>
  )
}

function ListRow({ list: { id, title, exclusive } }: { list: List }) {
  const label = texts.lists.edit_list({ title })
  return (
    <li class="row">
      <a class="row-link" href={`/lists/${id}`}>
        <Icon icon={ListIcon} />
        <span class="row-text">
          <strong dir="auto">{title}</strong>
          {exclusive && <small>{texts.lists.exclusive_mark}</small>}
        </span>
      </a>
      <a class="icon-button" href={`/lists/${id}/edit`} aria-label={label} title={label}>
        <Icon icon={Pencil} />
      </a>
    </li>
  )
}
