// Says in the frame that posts are not sent yet, and sends them.
import { useEffect } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { DraftsDialog, showDrafts } from './drafts-dialog.tsx'
import { startOutbox } from './outbox.ts'
import { unsentDrafts } from './store.ts'

export function UnsentNotice() {
  useEffect(() => void startOutbox(), [])
  const unsent = unsentDrafts.value
  const refused = unsent.filter(({ state }) => state === 'refused').length
  return (
    <>
      <div role="status">
        {unsent.length > 0 && (
          <p class="frame-notice unsent-notice">
            {refused > 0 ? texts.compose.refused({ count: refused }) : texts.compose.unsent({ count: unsent.length })}{' '}
            <Button kind="quiet" onClick={showDrafts}>
              {texts.compose.show}
            </Button>
          </p>
        )}
      </div>
      <DraftsDialog />
    </>
  )
}
