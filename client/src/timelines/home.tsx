import { ErrorBoundary } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { api, readPage } from '../api/client.ts'
import { useMe } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { lazy } from '../ui/lazy.tsx'
import { Page } from '../ui/page.tsx'
import { ContinueReading } from './continue-reading.tsx'
import { FirstSteps } from './first-steps.tsx'
import { rememberReading } from './reading-position.ts'
import { timelineOf } from './timelines.ts'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'

const Announcements = lazy(() => import('../notifications/announcements.tsx').then((m) => m.Announcements))

/** Milliseconds between two looks at a timeline that the server is collecting. */
const BUILDING_WAIT = 1000

export const homeTimeline: TimelineSource = {
  path: '/home',
  context: 'home',
  load: async (query) => {
    for (;;) {
      const answer = await api.GET('/api/v1/timelines/home', { params: { query } })
      // The server is still collecting the timeline, and has sent an empty list.
      if (answer.response.status !== 206) return readPage(Promise.resolve(answer))
      await new Promise((resolve) => setTimeout(resolve, BUILDING_WAIT))
    }
  },
  takesOwn: () => true,
  streams: [{ stream: 'user' }],
  isUnwanted: ({ reblog, account, quote, in_reply_to_account_id: answered }) =>
    (settings.peek().hideBoosts && reblog !== null) ||
    (settings.peek().hideQuotes && (reblog ?? { quote }).quote !== null) ||
    // Threads of one author stay whole.
    (settings.peek().hideReplies && answered !== null && answered !== account.id),
}

/** With this many posts, the timeline is worth reading without the first steps above it. */
const ENOUGH = 5

function useFirstSteps(): boolean {
  const { following_count: following, statuses_count: posts } = useMe()
  const { items, state } = timelineOf(homeTimeline)
  const { length } = items.value
  // While older posts are loaded, the steps stay.
  const isShort = (state.value === 'ready' || length > 0) && length < ENOUGH
  return isShort && !settings.value.hidesFirstSteps && (following === 0 || posts === 0)
}

export function HomeScreen() {
  useEffect(() => rememberReading(homeTimeline), [])
  const isNew = useFirstSteps()
  const empty = isNew ? (
    texts.timelines.home_empty
  ) : (
    <>
      {texts.timelines.home_empty} <a href="/explore/people">{texts.timelines.find_people}</a>
    </>
  )
  return (
    <Page
      title={texts.frame.home}
      isTop
      actions={
        <ErrorBoundary>
          <Announcements />
        </ErrorBoundary>
      }
    >
      {isNew && <FirstSteps />}
      <ContinueReading timeline={timelineOf(homeTimeline)} />
      <TimelineView source={homeTimeline} label={texts.frame.home} empty={empty} />
    </Page>
  )
}
