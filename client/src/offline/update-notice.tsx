import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { showError } from '../ui/toasts.tsx'
import { isUpdateReady } from './update.ts'

export function UpdateNotice() {
  if (!isUpdateReady.value) return null
  const update = () => import('./service.ts').then(({ reloadToUpdate }) => reloadToUpdate()).catch(showError)
  return (
    <p class="frame-notice">
      {texts.offline.update_ready}{' '}
      <Button kind="quiet" onClick={() => void update()}>
        {texts.offline.update}
      </Button>
    </p>
  )
}
