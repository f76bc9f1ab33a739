// The composer: a dialog over any screen.
import { Minus } from 'lucide'
import { useEffect } from 'preact/hooks'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/state-message.tsx'
import { ComposerForm } from './composer-form.tsx'
import { ComposerFailure } from './composer-notes.tsx'
import { closeComposer, minimiseComposer, openDraft } from './composing.ts'
import { currentDraft, failures, isSending } from './current.ts'
import type { Draft } from './draft.ts'
import type { ComposeRequest } from './open.ts'

export function Composer({ request }: { request: ComposeRequest }) {
  const draft = currentDraft.value
  useEffect(() => void openDraft(request), [])
  return (
    <Dialog
      title={titleOf(draft, request)}
      tools={draft && <MinimiseButton />}
      onClose={() => void closeComposer()}
      mayClose={() => !isSending.value}
    >
      {draft ? <ComposerForm draft={draft} /> : failures.value.length > 0 ? <ComposerFailure /> : <Loading />}
    </Dialog>
  )
}

const MinimiseButton = () => (
  <IconButton
    icon={Minus}
    label={texts.compose.minimise}
    disabled={isSending.value}
    onClick={() => void minimiseComposer()}
  />
)

function titleOf(draft: Draft | null, request: ComposeRequest): string {
  if (draft?.edited ?? request.edit) return texts.compose.edit_title
  return (draft?.inReplyTo ?? request.inReplyTo) ? texts.compose.reply_title : texts.frame.compose
}
