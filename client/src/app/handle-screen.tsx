// The addresses whose first part begins with an @.
import { lazy, useRoute } from 'preact-iso'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/state-message.tsx'

const ProfileScreen = lazy(() => import('../accounts/profile-screen.tsx').then((m) => m.ProfileScreen))

/** What may follow the handle of a profile. */
const SECTIONS = new Set(['', 'with_replies', 'media', 'featured', 'tagged', 'followers', 'following'])

/** `/@user`, `/@user@host/with_replies`, `/@user/123`; anything else does not exist. */
export function HandleScreen() {
  const { handle = '', rest = '' } = useRoute().params
  const acct = handle.slice(1)
  const [section = '', ...more] = rest.split('/')
  if (!handle.startsWith('@') || acct === '') return <NotFoundScreen />
  if (!SECTIONS.has(section) || (more.length > 0 && section !== 'tagged')) return <NotFoundScreen />
  return <ProfileScreen key={acct.toLowerCase()} acct={acct} section={section} tag={more.join('/')} />
}

function NotFoundScreen() {
  return (
    <Page title={texts.frame.not_found_title}>
      <Empty>{texts.frame.not_found}</Empty>
    </Page>
  )
}
