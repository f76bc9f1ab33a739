import { useLocation } from 'preact-iso'
import { updateNotice } from '../offline/update.ts'
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
  const notice = updateNotice.value
  return (
    notice && (
      <p class="frame-notice">
        {notice.text}{' '}
        <Button kind="quiet" onClick={() => void notice.act().catch(showError)}>
          {notice.action}
        </Button>
      </p>
    )
  )
}
