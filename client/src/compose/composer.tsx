// The composer: a dialog over any screen.
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/state-message.tsx'
import { ComposerActions } from './composer-actions.tsx'
import { closeComposer, openDraft, startAfresh, submit } from './composing.ts'
import { addFiles } from './add-media.ts'
import { changeDraft, currentDraft, failure, isRestored, isSending } from './current.ts'
import type { Draft } from './draft.ts'
import { LanguageSelect } from './language-select.tsx'
import type { ComposeRequest } from './open.ts'
import { PostEditor } from './post-editor.tsx'
import { QuotePolicyMenu } from './quote-policy-menu.tsx'
import { ScheduleDialog, ScheduleNote } from './schedule.tsx'
import { StatusPreview } from './status-preview.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'
import { useInstance } from '../state/me.ts'
import './composer.css'

export function Composer({ request }: { request: ComposeRequest }) {
  const draft = currentDraft.value
  useEffect(() => void openDraft(request), [])
  return (
    <Dialog title={titleOf(draft, request)} onClose={() => void closeComposer()} mayClose={() => !isSending.value}>
      {draft ? <Editor draft={draft} /> : failure.value ? <Failure /> : <Loading />}
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
  const [isDropping, setDropping] = useState(false)
  const [focused, setFocused] = useState(draft.posts[0]?.key ?? '')
  const active = draft.posts.find(({ key }) => key === focused) ?? draft.posts.at(-1)
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
      data-dropping={isDropping}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        setDropping(false)
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length === 0 || !active) return
        event.preventDefault()
        void addFiles(active.key, files)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(limit)
      }}
    >
      {isRestored.value && (
        <p class="composer-note" role="status">
          {t.restored}{' '}
          <Button kind="quiet" onClick={() => void startAfresh()}>
            {t.start_afresh}
          </Button>
        </p>
      )}
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
      </div>
      <ScheduleNote draft={draft} onChange={() => setScheduling(true)} />
      {draft.visibility === 'direct' && <p class="composer-note">{t.direct_note}</p>}
      <Failure />
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

function Failure() {
  return (
    failure.value !== null && (
      <p class="composer-error" role="alert">
        {failure.value}
      </p>
    )
  )
}
