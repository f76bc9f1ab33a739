import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { untilOnline } from '../api/connection.ts'
import type { Filter, Status } from '../api/entities.ts'
import { CONTEXTS, hasExpired } from '../lists/filter-values.ts'
import { useLoaded } from '../state/loaded.ts'
import { changeStatus, findStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, TextField } from '../ui/form.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { offerUndo } from '../ui/optimistic.ts'
import { showError } from '../ui/toasts.tsx'
import { closeStatusDialog, statusDialog } from './open.ts'

/** Adds a status to a filter, or to a new one. */
export function FilterDialog({ status }: { status: Status }) {
  const t = texts.statuses
  const [request] = useState(() => statusDialog.peek())
  const loaded = useLoaded(() => read(api.GET('/api/v2/filters')), [])
  const { value: filters } = loaded
  const [chosen, setChosen] = useState<string | null>(null)
  const [title, setTitle] = useState('')
  const [isSending, setSending] = useState(false)
  const isNew = chosen === null
  const mayAdd = filters && !isSending && (!isNew || title.trim() !== '')
  const add = async () => {
    setSending(true)
    try {
      await addTo(status, filters?.find(({ id }) => id === chosen) ?? title.trim())
      // It may have been closed meanwhile, and another one opened.
      if (statusDialog.peek() === request) closeStatusDialog()
    } catch (error) {
      showError(error)
      setSending(false)
    }
  }
  return (
    <Dialog
      title={t.filter_dialog}
      onClose={closeStatusDialog}
      actions={
        <Button kind="primary" disabled={!mayAdd} onClick={() => void add()}>
          {t.filter_add}
        </Button>
      }
    >
      {filters ? (
        <>
          <FilterChoices filters={filters} chosen={chosen} choose={setChosen} />
          {isNew && (
            <TextField
              label={t.filter_title}
              value={title}
              onText={setTitle}
              onKeyDown={({ key, isComposing }) => key === 'Enter' && !isComposing && mayAdd && void add()}
            />
          )}
        </>
      ) : (
        <LoadingOrFailed loaded={loaded} />
      )}
    </Dialog>
  )
}

type FilterChoicesProps = { filters: Filter[]; chosen: string | null; choose: (id: string | null) => void }

/** `chosen`: the id of a filter; null for a new one. */
function FilterChoices({ filters, chosen, choose }: FilterChoicesProps) {
  const t = texts.statuses
  return (
    <fieldset class="dialog-choices">
      <legend class="visually-hidden">{t.filter_dialog}</legend>
      {filters
        .filter((filter) => !hasExpired(filter))
        .map(({ id, title }) => (
          <Choice
            key={id}
            type="radio"
            name="filter"
            label={<bdi>{title}</bdi>}
            checked={chosen === id}
            onChange={() => choose(id)}
          />
        ))}
      <Choice type="radio" name="filter" label={t.filter_new} checked={chosen === null} onChange={() => choose(null)} />
    </fieldset>
  )
}

/** `target`: the filter, or the title of a new one. Throws ApiError. */
async function addTo(status: Status, target: Filter | string): Promise<void> {
  const body = { title: String(target), context: [...CONTEXTS], filter_action: 'warn' as const }
  const filter = typeof target === 'string' ? await read(api.POST('/api/v2/filters', { body })) : target
  const removeFilter = () => read<unknown>(api.DELETE('/api/v2/filters/{id}', { params: { path: { id: filter.id } } }))
  const params = { path: { filter_id: filter.id } }
  const added = read(api.POST('/api/v2/filters/{filter_id}/statuses', { params, body: { status_id: status.id } }))
  const { id } = await added.catch((error: unknown) => {
    // A new filter without the status would filter nothing.
    if (filter !== target) untilOnline().then(removeFilter).catch(console.info)
    throw error
  })
  const before = findStatus(status.id)?.value?.filtered ?? []
  const result = { filter, keyword_matches: null, status_matches: [status.id] }
  changeStatus(status.id, { filtered: [...before, result] })
  offerUndo(texts.statuses.filter_added({ title: filter.title }), () => {
    changeStatus(status.id, { filtered: before })
    const undone =
      filter === target
        ? read<unknown>(api.DELETE('/api/v2/filters/statuses/{id}', { params: { path: { id } } }))
        : removeFilter()
    undone.catch(showError)
  })
}
