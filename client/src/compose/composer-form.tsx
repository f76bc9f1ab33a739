// The form in which a post is written, with its tools: in the dialog, and below the parent of a reply.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useInstance } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Form } from '../ui/form.tsx'
import { ComposerActions } from './composer-actions.tsx'
import { AudienceNote, AuthorNote, ComposerFailure, DraftsButton, RestoredNote } from './composer-notes.tsx'
import { submit } from './submit.ts'
import { changeDraft, isSending } from './current.ts'
import type { Draft } from './draft.ts'
import { useFileDrop } from './file-drop.ts'
import { LanguageSelect } from './language-select.tsx'
import { PostEditor } from './post-editor.tsx'
import { QuoteOffer } from './quote-offer.tsx'
import { QuotePolicyMenu } from './quote-policy-menu.tsx'
import { ScheduleDialog, ScheduleNote } from './schedule.tsx'
import { StatusPreview } from './status-preview.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'
import './composer.css'

type ComposerFormProps = {
  draft: Draft
  /** Without what few replies need. `tools` are put beside the button that posts. */
  small?: { tools: ComponentChildren }
}

export function ComposerForm({ draft, small }: ComposerFormProps) {
  const { configuration } = useInstance()
  const limit = configuration.statuses.max_characters
  const [isScheduling, setScheduling] = useState(false)
  const [focused, setFocused] = useState(draft.posts[0]?.key ?? '')
  const active = draft.posts.find(({ key }) => key === focused) ?? draft.posts.at(-1)
  const drop = useFileDrop(active?.key)
  const t = texts.compose
  return (
    <Form
      class="composer"
      inert={isSending.value}
      aria-busy={isSending.value}
      onSubmit={() => submit(limit)}
      onKeyDown={(event) => handleEnter(event, limit)}
      {...drop}
    >
      <AuthorNote />
      <RestoredNote />
      {draft.inReplyTo && !small && <StatusPreview status={draft.inReplyTo} label={t.in_reply_to} />}
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
      <Quoted draft={draft} />
      <Choices draft={draft} isSmall={small !== undefined} />
      <ScheduleNote draft={draft} onChange={() => setScheduling(true)} />
      <AudienceNote draft={draft} />
      <ComposerFailure draft={draft} />
      {active && (
        <ComposerActions
          draft={draft}
          post={active}
          limit={limit}
          {...(small ? { small } : { onSchedule: () => setScheduling(true) })}
        />
      )}
      {isScheduling && (
        <ScheduleDialog
          at={draft.scheduledAt}
          onSet={(scheduledAt) => changeDraft({ scheduledAt })}
          onClose={() => setScheduling(false)}
        />
      )}
    </Form>
  )
}

/** A quote cannot be changed later. */
function Quoted({ draft: { quote, edited }, draft }: { draft: Draft }) {
  if (!quote) return <QuoteOffer draft={draft} />
  const onRemove = () => changeDraft({ quote: null })
  return <StatusPreview status={quote} label={texts.compose.quoted} {...(edited ? {} : { onRemove })} />
}

function Choices({ draft, isSmall }: { draft: Draft; isSmall: boolean }) {
  return (
    <div class="composer-choices">
      <VisibilityMenu draft={draft} />
      {!isSmall && (
        <>
          <QuotePolicyMenu draft={draft} />
          <LanguageSelect draft={draft} />
          <DraftsButton draft={draft} />
        </>
      )}
    </div>
  )
}

/** Ctrl+Enter posts. Enter alone posts in no field, and dialogs inside the composer have an Enter of their own. */
function handleEnter(event: KeyboardEvent & { currentTarget: HTMLElement }, limit: number): void {
  const target = event.target as HTMLElement
  if (event.key !== 'Enter' || target.closest('dialog') !== event.currentTarget.closest('dialog')) return
  if (event.ctrlKey || event.metaKey) void submit(limit)
  else if (target.matches('input')) event.preventDefault()
}
