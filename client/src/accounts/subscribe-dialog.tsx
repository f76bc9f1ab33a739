// Asks for the address that shall receive the posts of an account by e-mail.
import { useState } from 'preact/hooks'
import { api, ApiError, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { handleText } from './acts.ts'
import { closeAccountDialog } from './open.ts'

export function SubscribeDialog({ account }: { account: Account }) {
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isSending, setSending] = useState(false)
  const t = texts.subscribe
  const submit = async () => {
    setSending(true)
    const params = { path: { id: account.id } }
    try {
      await read(api.POST('/api/v1/accounts/{id}/email_subscriptions', { params, body: { email } }))
      closeAccountDialog()
      showToast(t.sent)
    } catch (error) {
      const details = error instanceof ApiError ? error.details['email'] : undefined
      if (details) setErrors(details)
      else showError(error)
    }
    setSending(false)
  }
  return (
    <Dialog
      title={t.title({ handle: handleText(account) })}
      onClose={closeAccountDialog}
      actions={
        <>
          <Button onClick={closeAccountDialog}>{texts.frame.cancel}</Button>
          <Button type="submit" form="subscribe" kind="primary" disabled={isSending || email.trim() === ''}>
            {t.submit}
          </Button>
        </>
      }
    >
      <form
        id="subscribe"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>{t.text}</p>
        <Field label={t.email} errors={errors}>
          {(control) => (
            <input
              {...control}
              type="email"
              autoComplete="email"
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
