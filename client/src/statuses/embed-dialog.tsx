import { copyText } from '../ui/copy-text.ts'
import { api, read } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form.tsx'
import { Failed } from '../ui/state-message.tsx'
import { closeStatusDialog } from './open.ts'

/** The HTML with which other sites show the status. */
export function EmbedDialog({ status }: { status: Status }) {
  const t = texts.statuses
  const url = status.url ?? status.uri
  const { value, error, reload } = useLoaded(() => read(api.GET('/api/oembed', { params: { query: { url } } })), [url])
  const html = value?.html ?? ''
  return (
    <Dialog
      title={t.embed_title}
      onClose={closeStatusDialog}
      actions={
        <Button kind="primary" disabled={!html} onClick={() => void copyText(html)}>
          {t.copy_code}
        </Button>
      }
    >
      {error ? (
        <Failed error={error} retry={reload} />
      ) : (
        <Field label={t.embed_code} hint={t.embed_hint}>
          {(control) => (
            <textarea
              {...control}
              class="embed-code"
              dir="ltr"
              rows={6}
              readOnly
              value={html}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          )}
        </Field>
      )}
    </Dialog>
  )
}
