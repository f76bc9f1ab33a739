// The frame of the client: navigation, the screen of the address, messages.
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso'
import { ComposerHost } from '../compose/composer-host.tsx'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Navigation } from './navigation.tsx'
import { SCREENS } from './screens.ts'
import { SessionNotice } from './session-notice.tsx'
import { texts } from '../texts.ts'
import './app.css'

/** Links to these addresses leave the client: they are pages of the server, files and the API. */
const CLIENT_LINKS =
  /^\/(?!(?:settings|admin|auth|oauth|about|terms-of-service|privacy-policy|invite|disputes|source|api|media|media_proxy|system|files|assets|client|authorize_interaction|nodeinfo|users)(?:\/|\?|#|$))/

export function App() {
  return (
    <LocationProvider scope={CLIENT_LINKS}>
      <a class="skip-link" href="#main">
        {texts.frame.skip}
      </a>
      <div class="frame">
        <Navigation />
        <main id="main" tabIndex={-1} class="screen">
          <SessionNotice />
          <ErrorBoundary>
            <Router>
              {SCREENS.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
            </Router>
          </ErrorBoundary>
        </main>
      </div>
      <ComposerHost />
      <Toasts />
      <ConfirmDialog />
    </LocationProvider>
  )
}
