// A reply that is written below the post that it answers, in a list.
import { Maximize2, X } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { ComposerForm } from './composer-form.tsx'
import { closeComposer, enlarge, leavePlace, openDraft } from './composing.ts'
import { currentDraft, isSending } from './current.ts'
import type { ComposeRequest } from './open.ts'
import './reply-composer.css'

export function ReplyComposer({ request }: { request: ComposeRequest }) {
  const t = texts.compose
  const section = useRef<HTMLElement>(null)
  const draft = currentDraft.value?.inReplyTo?.id === request.inReplyTo?.id ? currentDraft.value : null
  const opening = useLoaded(() => openDraft(request), [])
  useEffect(() => () => void leavePlace(request), [])
  useLayoutEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [draft === null])
  useLayoutEffect(() => {
    const { current } = section
    // Keyboards go on at the post. While it is sent, nothing has the focus.
    return () => {
      const focused = document.activeElement
      if (focused === document.body || current?.contains(focused))
        request.place?.current?.focus({ preventScroll: true })
    }
  }, [])
  const close = () => {
    if (!isSending.value) void closeComposer()
  }
  const tools = (
    <>
      <IconButton icon={Maximize2} label={t.enlarge} onClick={() => void enlarge(request)} />
      <IconButton icon={X} label={texts.frame.close} onClick={close} />
    </>
  )
  return (
    <section
      ref={section}
      class="reply-composer"
      aria-label={t.reply_title}
      onKeyDown={(event) => {
        // Menus and dialogs in it have an Escape of their own.
        if (event.key === 'Escape' && !(event.target as Element).closest('dialog, [popover]')) close()
      }}
    >
      {draft ? <ComposerForm draft={draft} small={{ tools }} /> : <LoadingOrFailed loaded={opening} />}
    </section>
  )
}
