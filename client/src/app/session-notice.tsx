import { useLocation } from 'preact-iso'
import { isUpdateReady } from '../offline/update.ts'
import { hasSessionEnded, isConnected } from '../api/connection.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { showError } from '../ui/toasts.tsx'

/** Says that the server cannot be reached, that the viewer has to sign in again, or that a new version is ready. */
export function SessionNotice() {
  const here = encodeURIComponent(useLocation().url)
  return (
    <div role="status">
      {hasSessionEnded.value ? (
        <p class="frame-notice">
          {texts.frame.session_ended} <a href={`/auth/sign_in?next=${here}`}>{texts.frame.sign_in}</a>
        </p>
      ) : (
        !isConnected.value && <p class="frame-notice">{texts.frame.offline}</p>
      )}
      <UpdateNotice />
    </div>
  )
}

function UpdateNotice() {
  if (!isUpdateReady.value) return null
  const update = () => import('../offline/service.ts').then(({ reloadToUpdate }) => reloadToUpdate()).catch(showError)
  return (
    <p class="frame-notice">
      {texts.offline.update_ready}{' '}
      <Button kind="quiet" onClick={() => void update()}>
        {texts.offline.update}
      </Button>
    </p>
  )
}
