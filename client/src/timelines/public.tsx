import { api, readPage } from '../api/client.ts'
import { useLocation } from 'preact-iso'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'

const PATHS = ['/public/local', '/public', '/public/remote'] as const

const SCOPES: Record<(typeof PATHS)[number], { query: { local?: boolean; remote?: boolean }; stream: string }> = {
  '/public/local': { query: { local: true }, stream: 'public:local' },
  '/public': { query: {}, stream: 'public' },
  '/public/remote': { query: { remote: true }, stream: 'public:remote' },
}

const sourceOf = (path: (typeof PATHS)[number]): TimelineSource => ({
  path,
  load: (query) =>
    readPage(api.GET('/api/v1/timelines/public', { params: { query: { ...query, ...SCOPES[path].query } } })),
  streams: [{ stream: SCOPES[path].stream }],
})

/** What this server knows: posts of its own people, of all, or of remote accounts. */
export function PublicScreen() {
  const { path } = useLocation()
  const current = PATHS.find((each) => each === path) ?? '/public'
  const titles = {
    '/public/local': texts.frame.local,
    '/public': texts.frame.federated,
    '/public/remote': texts.frame.remote,
  }
  const tabs = PATHS.map((href) => ({ href, label: titles[href] }))
  const empty = current === '/public/local' ? texts.timelines.empty : texts.timelines.federated_empty
  return (
    <Page title={titles[current]} bar={<Tabs label={texts.frame.timelines} tabs={tabs} current={current} />} isTop>
      <TimelineView source={sourceOf(current)} label={titles[current]} empty={empty} />
    </Page>
  )
}
