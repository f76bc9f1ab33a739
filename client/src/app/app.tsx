// The frame of the client: navigation, the screen of the address, messages.
import { ErrorBoundary, LocationProvider, useLocation } from 'preact-iso'
import { AccountHost } from '../accounts/account-host.tsx'
import { useEffect } from 'preact/hooks'
import { ComposerHost, UnsentHost } from '../compose/composer-host.tsx'
import { watchNotifications } from '../notifications/unread.ts'
import { StatusHost } from '../statuses/status-host.tsx'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { keepFocus } from '../ui/keep-focus.ts'
import { lazy } from '../ui/lazy.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Navigation } from './navigation.tsx'
import { Screens } from './screens.tsx'
import { CLIENT_LINKS } from '../api/server-pages.ts'
import { SessionNotice } from './session-notice.tsx'
import { ShortcutHost } from './shortcut-host.tsx'
import { hasSidePanel, SidePanelHost } from './side-panel-host.tsx'
import { texts } from '../texts.ts'
import './app.css'

export function App() {
  useEffect(watchNotifications, [])
  useEffect(keepFocus, [])
  return (
    <LocationProvider scope={CLIENT_LINKS}>
      <a class="skip-link" href="#main">
        {texts.frame.skip}
      </a>
      <div class={hasSidePanel.value ? 'frame wide' : 'frame'}>
        <Navigation />
        <main id="main" tabIndex={-1} class="screen">
          <SessionNotice />
          <UnsentHost />
          <Content />
        </main>
        <SidePanelHost />
      </div>
      <ComposerHost />
      <AccountHost />
      <StatusHost />
      <ShortcutHost />
      <Toasts />
      <ConfirmDialog />
    </LocationProvider>
  )
}

const Deck = lazy(() => import('./deck.tsx').then((m) => m.Deck))

/** The deck is no screen: its columns are. */
function Content() {
  const { path } = useLocation()
  return path === '/deck' ? (
    <ErrorBoundary>
      <Deck />
    </ErrorBoundary>
  ) : (
    <Screens />
  )
}
