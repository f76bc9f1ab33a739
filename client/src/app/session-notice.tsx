import { useLocation } from 'preact-iso'
import { UpdateNotice } from '../offline/update-notice.tsx'
import { hasSessionEnded, isConnected } from '../api/connection.ts'
import { texts } from '../texts.ts'

/** Says that the server cannot be found, or that one has to sign in again, or that a new version is ready. */
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
