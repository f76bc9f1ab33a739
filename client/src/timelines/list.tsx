import { Settings2 } from 'lucide'
import { useRoute } from 'preact-iso'
import { useMemo } from 'preact/hooks'
import { api, read, readPage } from '../api/client.ts'
import { useCached } from '../state/cached.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { PinScreen } from '../ui/pin-screen.tsx'
import { Failed, Loading } from '../ui/state-message.tsx'
import { useRenewal } from './reading.ts'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'

const sourceOf = (id: string): TimelineSource => ({
  path: `/lists/${id}`,
  context: 'home',
  load: (query) => readPage(api.GET('/api/v1/timelines/list/{list_id}', { params: { path: { list_id: id }, query } })),
  streams: [{ stream: 'list', list: id }],
})

export function ListScreen() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const source = useMemo(() => sourceOf(id), [id])
  useRenewal(source)
  const list = useCached(`list ${id}`, () => read(api.GET('/api/v1/lists/{id}', { params: { path: { id } } })))
  const title = list.value?.title ?? texts.frame.lists
  const actions = (
    <>
      <a
        class="icon-button"
        href={`/lists/${id}/edit`}
        aria-label={texts.timelines.edit_list}
        title={texts.timelines.edit_list}
      >
        <Icon icon={Settings2} />
      </a>
      <PinScreen path={`/lists/${id}`} title={list.value?.title} />
    </>
  )
  return (
    <Page title={title} actions={actions}>
      {list.error ? (
        <Failed error={list.error} retry={list.reload} />
      ) : list.value ? (
        <TimelineView source={source} label={title} empty={texts.timelines.list_empty} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}
