import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import type { TimelineSource } from './timeline.ts'
import { TimelineView } from './timeline-view.tsx'

export const homeTimeline: TimelineSource = {
  path: '/home',
  load: (query) => readPage(api.GET('/api/v1/timelines/home', { params: { query } })),
  stream: { stream: 'user' },
}

export function HomeScreen() {
  return (
    <Page title={texts.frame.home} isTop>
      <TimelineView source={homeTimeline} label={texts.frame.home} empty={texts.timelines.home_empty} />
    </Page>
  )
}
