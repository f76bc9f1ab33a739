// `/filters/new` and `/filters/:id/edit`
import { Trash } from 'lucide'
import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { api, ApiError, read } from '../api/client.ts'
import type { Filter } from '../api/entities.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { changeCached } from '../state/cached.ts'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { applyFilters } from '../timelines/apply-filters.ts'
import { IconButton } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { FilterFields } from './filter-fields.tsx'
import { bodyOf, fieldsOf, titleOf } from './filter-values.ts'
import { FilteredPosts } from './filtered-posts.tsx'
import { deleteFilter } from './filters-screen.tsx'
import { FormActions } from './form-actions.tsx'
import './filter.css'
import './lists.css'

export function FilterCreateScreen() {
  return (
    <Page title={texts.lists.new_filter}>
      <FilterForm filter={null} />
    </Page>
  )
}

export function FilterEditScreen() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = params.id ?? ''
  const filter = useLoaded(() => read(api.GET('/api/v2/filters/{id}', { params: { path: { id } } })), [id])
  const { value } = filter
  const remove = async (removed: Filter) => {
    if (await deleteFilter(removed)) route('/filters', true)
  }
  return (
    <Page
      title={value?.title ?? texts.lists.filters}
      actions={value && <IconButton icon={Trash} label={texts.lists.delete} onClick={() => void remove(value)} />}
    >
      {value ? (
        <>
          <FilterForm key={value.id} filter={value} />
          <FilteredPosts filter={value} />
        </>
      ) : (
        <LoadingOrFailed loaded={filter} />
      )}
    </Page>
  )
}

function FilterForm({ filter }: { filter: Filter | null }) {
  const { route } = useLocation()
  const draft = useFormDraft(`filter ${filter?.id ?? 'new'}`, fieldsOf(filter))
  const { values } = draft
  const [errors, setErrors] = useState<ApiError['details']>({})
  const [isSending, setSending] = useState(false)
  const t = texts.lists
  const submit = async () => {
    if (values.context.length === 0) {
      setErrors({ context: [t.no_context] })
      return
    }
    setSending(true)
    try {
      const body = bodyOf(values, filter)
      const saved = filter
        ? await read(api.PUT('/api/v2/filters/{id}', { params: { path: { id: filter.id } }, body }))
        : await read(api.POST('/api/v2/filters', { body }))
      changeCached<Filter[]>('filters', (now) =>
        filter ? now.map((each) => (each.id === saved.id ? saved : each)) : [...now, saved],
      )
      applyFilters()
      draft.discard()
      showToast(t.saved)
      route('/filters', true)
    } catch (error) {
      setSending(false)
      const details = error instanceof ApiError ? error.details : {}
      setErrors(details)
      if (!details['title'] && !details['context']) showError(error)
    }
  }
  return (
    <Form class="form-area" onSubmit={submit}>
      <FilterFields values={values} change={draft.change} errors={errors} filter={filter} />
      <FormActions draft={draft} action={filter ? t.save : t.create} disabled={isSending || titleOf(values) === ''} />
    </Form>
  )
}
