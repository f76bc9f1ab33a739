// The composer: a dialog over any screen.
import { useEffect, useState } from 'preact/hooks'
import { useInstance } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/state-message.tsx'
import { ComposerActions } from './composer-actions.tsx'
import { ComposerFailure, DirectNote, DraftsButton, RestoredNote } from './composer-notes.tsx'
import { closeComposer, openDraft, submit } from './composing.ts'
import { changeDraft, currentDraft, failure, isSending } from './current.ts'
import type { Draft } from './draft.ts'
import { useFileDrop } from './file-drop.ts'
import { LanguageSelect } from './language-select.tsx'
import type { ComposeRequest } from './open.ts'
import { PostEditor } from './post-editor.tsx'
import { QuotePolicyMenu } from './quote-policy-menu.tsx'
import { ScheduleDialog, ScheduleNote } from './schedule.tsx'
import { StatusPreview } from './status-preview.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'
import './composer.css'

export function Composer({ request }: { request: ComposeRequest }) {
  const draft = currentDraft.value
  useEffect(() => void openDraft(request), [])
  return (
    <Dialog title={titleOf(draft, request)} onClose={() => void closeComposer()} mayClose={() => !isSending.value}>
      {draft ? <Editor draft={draft} /> : failure.value ? <ComposerFailure /> : <Loading />}
    </Dialog>
  )
}

function titleOf(draft: Draft | null, request: ComposeRequest): string {
  if (draft?.edited ?? request.edit) return texts.compose.edit_title
  return (draft?.inReplyTo ?? request.inReplyTo) ? texts.compose.reply_title : texts.frame.compose
}

function Editor({ draft }: { draft: Draft }) {
  const { configuration } = useInstance()
  const limit = configuration.statuses.max_characters
  const [isScheduling, setScheduling] = useState(false)
  const [focused, setFocused] = useState(draft.posts[0]?.key ?? '')
  const active = draft.posts.find(({ key }) => key === focused) ?? draft.posts.at(-1)
  const drop = useFileDrop(active?.key)
  const t = texts.compose
  return (
    <form
      class="composer"
      inert={isSending.value}
      aria-busy={isSending.value}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(limit)
      }}
      onKeyDown={(event) => handleEnter(event, limit)}
      {...drop}
    >
      <RestoredNote />
      {draft.inReplyTo && <StatusPreview status={draft.inReplyTo} label={t.in_reply_to} />}
      {draft.posts.map((post, index) => (
        <PostEditor
          key={post.key}
          draft={draft}
          post={post}
          index={index}
          limit={limit}
          onFocus={() => setFocused(post.key)}
        />
      ))}
      {draft.quote && <StatusPreview status={draft.quote} label={t.quoted} />}
      <div class="composer-choices">
        <VisibilityMenu draft={draft} />
        <QuotePolicyMenu draft={draft} />
        <LanguageSelect draft={draft} />
        <DraftsButton draft={draft} />
      </div>
      <ScheduleNote draft={draft} onChange={() => setScheduling(true)} />
      {draft.visibility === 'direct' && <DirectNote draft={draft} />}
      <ComposerFailure />
      {active && <ComposerActions draft={draft} post={active} limit={limit} onSchedule={() => setScheduling(true)} />}
      {isScheduling && (
        <ScheduleDialog
          at={draft.scheduledAt}
          onSet={(scheduledAt) => changeDraft({ scheduledAt })}
          onClose={() => setScheduling(false)}
        />
      )}
    </form>
  )
}

/** Ctrl+Enter posts. Enter alone posts in no field, and dialogs inside the composer have an Enter of their own. */
function handleEnter(event: KeyboardEvent & { currentTarget: HTMLElement }, limit: number): void {
  const target = event.target as HTMLElement
  if (event.key !== 'Enter' || target.closest('dialog') !== event.currentTarget.closest('dialog')) return
  if (event.ctrlKey || event.metaKey) void submit(limit)
  else if (target.matches('input')) event.preventDefault()
}
