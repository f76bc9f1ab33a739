import { Funnel, Plus, Trash } from 'lucide'
import { api, read, readDeletion } from '../api/client.ts'
import type { Filter } from '../api/entities.ts'
import { changeCached, useCached } from '../state/cached.ts'
import { colon, fullTime, texts } from '../texts.ts'
import { applyFilters } from '../timelines/apply-filters.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { confirmDeletion } from './confirm-deletion.ts'
import { hasExpired } from './filter-values.ts'
import './lists.css'

export function FiltersScreen() {
  const filters = useCached('filters', () => read(api.GET('/api/v2/filters')))
  const t = texts.lists
  const create = (
    <a class="button quiet" href="/filters/new">
      <Icon icon={Plus} size={18} />
      {t.new_filter}
    </a>
  )
  return (
    <Page title={t.filters} actions={create}>
      {!filters.value ? (
        <LoadingOrFailed loaded={filters} />
      ) : filters.value.length === 0 ? (
        <Empty>{t.filters_empty}</Empty>
      ) : (
        <ul class="rows">
          {filters.value.map((filter) => (
            <FilterRow key={filter.id} filter={filter} />
          ))}
        </ul>
      )}
    </Page>
  )
}

/** Resolves to whether it was deleted. */
export async function deleteFilter({ id, title }: Filter): Promise<boolean> {
  const act = () => readDeletion(api.DELETE('/api/v2/filters/{id}', { params: { path: { id } } }))
  const isDone = await confirmDeletion(title, texts.lists.delete_filter_text, act)
  if (isDone) {
    changeCached<Filter[]>('filters', (now) => now.filter((each) => each.id !== id))
    applyFilters()
  }
  return isDone
}

function FilterRow({ filter }: { filter: Filter }) {
  const { id, title, context, filter_action: action, expires_at: end, keywords = [], statuses = [] } = filter
  const t = texts.lists
  const isExpired = hasExpired(filter)
  const parts = [
    t[`action_${action}`],
    ...(keywords.length > 0 ? [t.keyword_count({ count: keywords.length })] : []),
    ...(statuses.length > 0 ? [t.filtered_count({ count: statuses.length })] : []),
    ...(end === null ? [] : [isExpired ? t.expired : `${t.expires}${colon}${fullTime(new Date(end))}`]),
  ]
  return (
    <li class="row">
      <a class="row-link" href={`/filters/${id}/edit`}>
        <Icon icon={Funnel} />
        <span class="row-text">
          <strong>
            <bdi>{title}</bdi>
          </strong>
          <small>{parts.join(' · ')}</small>
          <small>{context.map((each) => t[`context_${each}`]).join(' · ')}</small>
        </span>
      </a>
      <IconButton icon={Trash} label={`${t.delete}${colon}${title}`} onClick={() => void deleteFilter(filter)} />
    </li>
  )
}
