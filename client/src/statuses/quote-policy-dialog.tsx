import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { QUOTE_POLICIES, type QuotePolicy } from '../compose/draft.ts'
import { storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice } from '../ui/form.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { closeStatusDialog } from './open.ts'

/** Who may quote one of the viewer's own statuses. What is quoted already stays. */
export function QuotePolicyDialog({ status }: { status: Status }) {
  const t = texts.statuses
  const current = QUOTE_POLICIES.find((policy) => status.quote_approval.automatic.includes(policy)) ?? 'nobody'
  const [policy, setPolicy] = useState<QuotePolicy>(current)
  const [isSending, setSending] = useState(false)
  const save = async () => {
    if (isSending) return
    setSending(true)
    try {
      const request = { params: { path: { id: status.id } }, body: { quote_approval_policy: policy } }
      storeStatus(await read(api.PUT('/api/v1/statuses/{id}/interaction_policy', request)))
      closeStatusDialog()
      showToast(t.quote_policy_saved)
    } catch (error) {
      setSending(false)
      showError(error)
    }
  }
  return (
    <Dialog
      title={t.quote_policy}
      onClose={closeStatusDialog}
      mayClose={() => !isSending}
      actions={
        <>
          <Button disabled={isSending} onClick={closeStatusDialog}>
            {texts.frame.cancel}
          </Button>
          <Button kind="primary" aria-busy={isSending} onClick={() => void save()}>
            {t.save}
          </Button>
        </>
      }
    >
      <fieldset class="dialog-choices">
        <legend class="visually-hidden">{t.quote_policy}</legend>
        {QUOTE_POLICIES.map((each) => (
          <Choice
            key={each}
            type="radio"
            name="quote-policy"
            label={t.quote_policies[each]}
            checked={policy === each}
            onChange={() => setPolicy(each)}
          />
        ))}
      </fieldset>
      <p>{t.quote_policy_hint}</p>
    </Dialog>
  )
}
