import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Filter, Status } from '../api/entities.ts'
import { CONTEXTS, hasExpired } from '../lists/filter-values.ts'
import { useLoaded } from '../state/loaded.ts'
import { changeStatus, findStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/form.tsx'
import { Failed, Loading } from '../ui/state-message.tsx'
import { offerUndo } from '../ui/optimistic.ts'
import { showError } from '../ui/toasts.tsx'
import { closeStatusDialog } from './open.ts'

/** Adds a status to a filter, or to a new one. */
export function FilterDialog({ status }: { status: Status }) {
  const t = texts.statuses
  const { value: filters, error, reload } = useLoaded(() => read(api.GET('/api/v2/filters')), [])
  const [chosen, setChosen] = useState<string | null>(null)
  const [title, setTitle] = useState('')
  const isNew = chosen === null
  const mayAdd = filters && (!isNew || title.trim() !== '')
  const add = () => void addTo(status, filters?.find(({ id }) => id === chosen) ?? title.trim())
  return (
    <Dialog
      title={t.filter_dialog}
      onClose={closeStatusDialog}
      actions={
        <Button kind="primary" disabled={!mayAdd} onClick={add}>
          {t.filter_add}
        </Button>
      }
    >
      {error ? <Failed error={error} retry={reload} /> : !filters && <Loading />}
      {filters && (
        <>
          <fieldset class="dialog-choices">
            <legend class="visually-hidden">{t.filter_dialog}</legend>
            {filters
              .filter((filter) => !hasExpired(filter))
              .map(({ id, title: name }) => (
                <Choice
                  key={id}
                  type="radio"
                  name="filter"
                  label={<bdi>{name}</bdi>}
                  checked={chosen === id}
                  onChange={() => setChosen(id)}
                />
              ))}
            <Choice type="radio" name="filter" label={t.filter_new} checked={isNew} onChange={() => setChosen(null)} />
          </fieldset>
          {isNew && (
            <Field label={t.filter_title}>
              {(control) => (
                <input
                  {...control}
                  value={title}
                  onInput={({ currentTarget }) => setTitle(currentTarget.value)}
                  onKeyDown={({ key, isComposing }) => key === 'Enter' && !isComposing && mayAdd && add()}
                />
              )}
            </Field>
          )}
        </>
      )}
    </Dialog>
  )
}

/** `target`: the filter, or the title of a new one. */
async function addTo(status: Status, target: Filter | string): Promise<void> {
  closeStatusDialog()
  try {
    const body = { title: String(target), context: [...CONTEXTS], filter_action: 'warn' as const }
    const filter = typeof target === 'string' ? await read(api.POST('/api/v2/filters', { body })) : target
    const params = { path: { filter_id: filter.id } }
    const { id } = await read(
      api.POST('/api/v2/filters/{filter_id}/statuses', { params, body: { status_id: status.id } }),
    )
    const before = findStatus(status.id)?.value?.filtered ?? []
    const result = { filter, keyword_matches: null, status_matches: [status.id] }
    changeStatus(status.id, { filtered: [...before, result] })
    offerUndo(texts.statuses.filter_added({ title: filter.title }), () => {
      changeStatus(status.id, { filtered: before })
      const undone =
        filter === target
          ? api.DELETE('/api/v2/filters/statuses/{id}', { params: { path: { id } } })
          : api.DELETE('/api/v2/filters/{id}', { params: { path: { id: filter.id } } })
      read<unknown>(undone).catch(showError)
    })
  } catch (error) {
    showError(error)
  }
}
