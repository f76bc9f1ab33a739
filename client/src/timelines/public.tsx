import { Images } from 'lucide'
import { api, readPage } from '../api/client.ts'
import { useLocation, useRoute } from 'preact-iso'
import { useContext, useMemo } from 'preact/hooks'
import { replaceColumn } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { Page } from '../ui/page.tsx'
import { PinScreen } from '../ui/pin-screen.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useRenewal } from './reading.ts'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'

const PATHS = ['/public/local', '/public', '/public/remote'] as const

const SCOPES: Record<(typeof PATHS)[number], { query: { local?: boolean; remote?: boolean }; stream: string }> = {
  '/public/local': { query: { local: true }, stream: 'public:local' },
  '/public': { query: {}, stream: 'public' },
  '/public/remote': { query: { remote: true }, stream: 'public:remote' },
}

function sourceOf(path: (typeof PATHS)[number], only_media: boolean): TimelineSource {
  const { query: scope, stream } = SCOPES[path]
  return {
    path: path + suffixOf(only_media),
    load: (query) =>
      readPage(api.GET('/api/v1/timelines/public', { params: { query: { ...query, ...scope, only_media } } })),
    streams: [{ stream: only_media ? `${stream}:media` : stream }],
  }
}

/** The choice is in the address, so that a column has its own. */
const suffixOf = (onlyMedia: boolean): string => (onlyMedia ? '?only_media=true' : '')

/** What this server knows: posts of its own people, of all, or of remote accounts. */
export function PublicScreen() {
  const { path, query } = useRoute()
  const { url, route } = useLocation()
  const { isPinned } = useContext(ColumnContext)
  const current = PATHS.find((each) => each === path) ?? '/public'
  const onlyMedia = query['only_media'] === 'true'
  const source = useMemo(() => sourceOf(current, onlyMedia), [current, onlyMedia])
  useRenewal(source)
  const titles = {
    '/public/local': texts.frame.local,
    '/public': texts.frame.federated,
    '/public/remote': texts.frame.remote,
  }
  const tabs = PATHS.map((href) => ({ href: href + suffixOf(onlyMedia), label: titles[href] }))
  const empty = current === '/public/local' ? texts.timelines.empty : texts.timelines.federated_empty
  const toggle = () => {
    const other = current + suffixOf(!onlyMedia)
    if (isPinned) replaceColumn(url, other)
    else route(other, true)
  }
  const actions = (
    <>
      <IconButton icon={Images} label={texts.hashtags.only_media} pressed={onlyMedia} onClick={toggle} />
      <PinScreen path={source.path} title={titles[current]} />
    </>
  )
  return (
    <Page
      title={titles[current]}
      actions={actions}
      bar={<Tabs label={texts.frame.timelines} tabs={tabs} current={source.path} />}
      isTop
    >
      <TimelineView source={source} label={titles[current]} empty={empty} />
    </Page>
  )
}
