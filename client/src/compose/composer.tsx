// The composer: a dialog over any screen.
import { AppWindow, Minus, PanelTop } from 'lucide'
import { useLocation } from 'preact-iso'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { ComposerForm } from './composer-form.tsx'
import { closeComposer, minimiseComposer, openDraft } from './composing.ts'
import { currentDraft, isSending } from './current.ts'
import type { Draft } from './draft.ts'
import type { ComposeRequest } from './open.ts'
import { isComposeWindow, popIn, popOut } from './pop-out.ts'

/** Where two windows have room beside each other. */
const WINDOWS = '(min-width: 48.01rem) and (hover: hover)'

export function Composer({ request }: { request: ComposeRequest }) {
  const draft = currentDraft.value
  const opening = useLoaded(() => openDraft(request), [])
  return (
    <Dialog
      title={titleOf(draft, request)}
      tools={draft && (isComposeWindow() ? <PopInButton /> : <Tools />)}
      onClose={() => void closeComposer()}
      mayClose={() => !isSending.value}
    >
      {draft ? <ComposerForm draft={draft} /> : <LoadingOrFailed loaded={opening} />}
    </Dialog>
  )
}

const Tools = () => (
  <>
    {matchMedia(WINDOWS).matches && (
      <IconButton
        icon={AppWindow}
        label={texts.compose_window.pop_out}
        disabled={isSending.value}
        onClick={() => void popOut()}
      />
    )}
    <IconButton
      icon={Minus}
      label={texts.compose.minimise}
      disabled={isSending.value}
      onClick={() => void minimiseComposer()}
    />
  </>
)

function PopInButton() {
  const { route } = useLocation()
  return (
    <IconButton
      icon={PanelTop}
      label={texts.compose_window.pop_in}
      disabled={isSending.value}
      onClick={() => void popIn((path) => route(path, true))}
    />
  )
}

function titleOf(draft: Draft | null, request: ComposeRequest): string {
  if (draft?.edited ?? request.edit) return texts.compose.edit_title
  return (draft?.inReplyTo ?? request.inReplyTo) ? texts.compose.reply_title : texts.frame.compose
}
