// The bar of tools of the composer, and the button that posts.
import { CalendarClock, ChartBarBig, ImagePlus, ListPlus, TriangleAlert } from 'lucide'
import type { ComponentChildren, ComponentProps } from 'preact'
import { useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { putText } from '../ui/field-text.ts'
import { showToast } from '../ui/toasts.tsx'
import { acceptedTypes, addFiles, mediaRefusal } from './add-media.ts'
import { canSubmit } from './submit.ts'
import { addPost, changePost, isSending, removePoll } from './current.ts'
import { isEmptyPost, type Draft, type DraftPost } from './draft.ts'
import { EmojiButton } from './emoji-button.tsx'
import { emptyPoll } from './poll-editor.tsx'

type ComposerActionsProps = {
  draft: Draft
  post: DraftPost
  limit: number
  onSchedule?: () => void
  small?: { tools: ComponentChildren }
}

export function ComposerActions({ draft, post, limit, onSchedule, small }: ComposerActionsProps) {
  const t = texts.compose
  return (
    <div class="composer-actions">
      <div class="composer-tools" role="group" aria-label={t.tools}>
        <AddMedia post={post} />
        <Tool
          icon={ChartBarBig}
          label={t.poll}
          pressed={post.poll !== null}
          refusal={post.media.length > 0 ? t.media_with_poll : draft.quote ? t.poll_with_quote : null}
          onClick={() => {
            if (post.poll) return removePoll(post)
            changePost(post.key, { poll: emptyPoll() })
            focusIn(post.key, '.poll-text input')
          }}
        />
        <IconButton
          icon={TriangleAlert}
          label={t.warning}
          pressed={post.warning !== null}
          onClick={() => {
            changePost(post.key, { warning: post.warning === null ? '' : null })
            focusIn(post.key, post.warning === null ? '.warning-input' : '.text-input')
          }}
        />
        <EmojiButton label={t.emojis} onPick={(emoji) => insertText(post.key, emoji)} />
        {!draft.edited && !small && (
          <>
            <Tool
              icon={CalendarClock}
              label={t.schedule}
              pressed={draft.scheduledAt !== null}
              refusal={draft.posts.length > 1 ? t.schedule_thread : null}
              onClick={() => onSchedule?.()}
            />
            <Tool
              icon={ListPlus}
              label={t.add_post}
              disabled={isEmptyPost(post)}
              refusal={draft.scheduledAt === null ? null : t.schedule_thread}
              onClick={() => addPost(post.key)}
            />
          </>
        )}
        {small?.tools}
      </div>
      <Button kind="primary" type="submit" disabled={!canSubmit(draft, limit) || isSending.value}>
        {isSending.value ? t.sending : draft.edited ? t.save : draft.scheduledAt ? t.schedule_action : t.post}
      </Button>
    </div>
  )
}

type ToolProps = Omit<ComponentProps<typeof IconButton>, 'onClick'> & { refusal: string | null; onClick: () => void }

/** `refusal`: why it cannot be used now. Pressing it says so, as touch screens have no tooltips. */
function Tool({ refusal, onClick, ...rest }: ToolProps) {
  return (
    <IconButton
      {...rest}
      aria-disabled={refusal !== null || undefined}
      onClick={() => (refusal === null ? onClick() : showToast(refusal))}
    />
  )
}

function AddMedia({ post }: { post: DraftPost }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Tool
        icon={ImagePlus}
        label={texts.compose.add_media}
        refusal={mediaRefusal(post)}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedTypes()}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          void addFiles(post.key, files)
        }}
      />
    </>
  )
}

/** Once the field is in the document. A field that was removed leaves the focus where it is. */
function focusIn(postKey: string, field: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(`[data-post='${postKey}'] ${field}`)?.focus())
}

/** Puts a text at the caret of a post, and the caret behind it. */
function insertText(postKey: string, inserted: string): void {
  const area = document.querySelector<HTMLTextAreaElement>(`[data-post='${postKey}'] .text-input`)
  if (!area) return
  const { value, selectionStart, selectionEnd } = area
  const text = value.slice(0, selectionStart) + inserted + value.slice(selectionEnd)
  putText(area, text, selectionStart + inserted.length)
  changePost(postKey, { text })
}
