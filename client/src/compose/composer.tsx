// The composer: a dialog over any screen.
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/state-message.tsx'
import { ComposerActions } from './composer-actions.tsx'
import { closeComposer, openDraft, submit } from './composing.ts'
import { currentDraft, failure, isSending } from './current.ts'
import type { Draft } from './draft.ts'
import type { ComposeRequest } from './open.ts'
import { PostEditor } from './post-editor.tsx'
import { StatusPreview } from './status-preview.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'
import { useInstance } from '../state/me.ts'
import './composer.css'

export function Composer({ request }: { request: ComposeRequest }) {
  const draft = currentDraft.value
  useEffect(() => void openDraft(request), [])
  return (
    <Dialog title={titleOf(request)} onClose={() => void closeComposer()} mayClose={() => !isSending.value}>
      {draft ? <Editor draft={draft} /> : failure.value ? <Failure /> : <Loading />}
    </Dialog>
  )
}

function titleOf({ edit, inReplyTo }: ComposeRequest): string {
  if (edit) return texts.compose.edit_title
  return inReplyTo ? texts.compose.reply_title : texts.frame.compose
}

function Editor({ draft }: { draft: Draft }) {
  const { configuration } = useInstance()
  const limit = configuration.statuses.max_characters
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
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(limit)
      }}
    >
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
      </div>
      {draft.visibility === 'direct' && <p class="composer-note">{t.direct_note}</p>}
      <Failure />
      {active && <ComposerActions draft={draft} post={active} limit={limit} />}
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
