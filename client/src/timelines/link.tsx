import { useRoute } from 'preact-iso'
import { useMemo } from 'preact/hooks'
import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { PinScreen } from '../ui/pin-screen.tsx'
import { webAddress } from '../ui/web-address.ts'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'
import './hashtag.css'

const sourceOf = (url: string): TimelineSource => ({
  path: `/links?url=${url}`,
  context: 'public',
  load: (query) => readPage(api.GET('/api/v1/timelines/link', { params: { query: { ...query, url } } })),
})

/** Public posts that share a link. */
export function LinkScreen() {
  const { query } = useRoute()
  const url = query.url ?? ''
  const source = useMemo(() => sourceOf(url), [url])
  return (
    <Page
      title={texts.timelines.link_posts}
      actions={<PinScreen path={`/links?url=${encodeURIComponent(url)}`} title={url} />}
    >
      <p class="tag-header">
        <a href={webAddress(url)} target="_blank" rel="noopener noreferrer">
          <bdi>{url}</bdi>
        </a>
      </p>
      <TimelineView source={source} label={texts.timelines.link_posts} empty={texts.timelines.empty} />
    </Page>
  )
}
