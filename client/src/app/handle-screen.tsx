// The addresses whose first part begins with an @.
import { useRoute } from 'preact-iso'
import { untilOnline } from '../api/connection.ts'
import { isStatusPart } from '../statuses/links.ts'
import { texts } from '../texts.ts'
import { lazy } from '../ui/lazy.tsx'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/state-message.tsx'

const ProfileScreen = lazy(() => import('../accounts/profile-screen.tsx').then((m) => m.ProfileScreen))

const StatusScreen = lazy(() => import('../statuses/status-screen.tsx').then((m) => m.StatusScreen))
const StatusSection = lazy(() => import('../statuses/status-section.tsx').then((m) => m.StatusSection))

/** Opening a status from the first timeline waits for no request. */
setTimeout(() => void untilOnline().then(() => StatusScreen.preload()), 300)

/** What may follow the handle of a profile. */
const SECTIONS = new Set(['', 'with_replies', 'media', 'featured', 'tagged', 'followers', 'following'])

/** `/@user`, `/@user@host/with_replies`, `/@user/123`; anything else does not exist. */
export function HandleScreen() {
  const { handle = '', rest = '' } = useRoute().params
  const acct = handle.slice(1)
  const [section = '', ...more] = rest.split('/')
  if (!handle.startsWith('@') || acct === '') return <NotFoundScreen />
  if (/^\d+$/.test(section)) return <StatusPlace id={section} rest={more} />
  if (!SECTIONS.has(section) || (more.length > 0 && section !== 'tagged')) return <NotFoundScreen />
  return <ProfileScreen key={acct.toLowerCase()} acct={acct} section={section} tag={more.join('/')} />
}

/** `/@user/123` and what belongs to it, such as `/@user/123/reblogs`. */
function StatusPlace({ id, rest: [part, ...more] }: { id: string; rest: string[] }) {
  if (part === undefined) return <StatusScreen key={id} id={id} />
  if (!isStatusPart(part) || more.length > 0) return <NotFoundScreen />
  return <StatusSection key={`${id}/${part}`} id={id} part={part} />
}

function NotFoundScreen() {
  return (
    <Page title={texts.frame.not_found_title}>
      <Empty>{texts.frame.not_found}</Empty>
    </Page>
  )
}
