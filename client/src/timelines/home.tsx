import { ErrorBoundary } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { lazy } from '../ui/lazy.tsx'
import { Page } from '../ui/page.tsx'
import { ContinueReading } from './continue-reading.tsx'
import { rememberReading } from './reading-position.ts'
import { timelineOf, type TimelineSource } from './timeline.ts'
import { TimelineView } from './timeline-view.tsx'

const Announcements = lazy(() => import('../notifications/announcements.tsx').then((m) => m.Announcements))

export const homeTimeline: TimelineSource = {
  path: '/home',
  context: 'home',
  load: (query) => readPage(api.GET('/api/v1/timelines/home', { params: { query } })),
  stream: { stream: 'user' },
}

export function HomeScreen() {
  useEffect(() => rememberReading(homeTimeline), [])
  const empty = (
    <>
      {texts.timelines.home_empty} <a href="/explore/people">{texts.timelines.find_people}</a>
    </>
  )
  return (
    <Page title={texts.frame.home} isTop>
      <ErrorBoundary>
        <Announcements />
      </ErrorBoundary>
      <ContinueReading timeline={timelineOf(homeTimeline)} />
      <TimelineView source={homeTimeline} label={texts.frame.home} empty={empty} />
    </Page>
  )
}
