// Stands for a status that a filter hides.
import { Funnel } from 'lucide'
import type { Status } from '../api/entities.ts'
import { fill, texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { choiceOf } from './disclosure.ts'
import type { Filtering } from './filters.ts'

type FilteredStatusProps = { status: Status; filtering: NonNullable<Filtering> }

export function FilteredStatus({ status, filtering }: FilteredStatusProps) {
  const show = () => (choiceOf(status.id, 'filter').value = true)
  return (
    <article class="status filtered" tabIndex={0} aria-label={texts.statuses.filtered} data-status={status.id}>
      <Icon icon={Funnel} size={16} />
      <span>{fill(texts.statuses.filtered_by, { filters: <bdi>{filtering.titles.join(', ')}</bdi> })}</span>
      <button type="button" class="link-button" onClick={show}>
        {texts.statuses.show_anyway}
      </button>
    </article>
  )
}
