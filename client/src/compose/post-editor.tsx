// One post of the composer: content warning and text.
import { X } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { addFiles } from './add-media.ts'
import { Autocomplete } from './autocomplete.tsx'
import { CharactersLeft } from './characters-left.tsx'
import { charactersOf } from './count.ts'
import { changePost, removePost } from './current.ts'
import type { Draft, DraftPost } from './draft.ts'
import { MediaList } from './media-list.tsx'
import { PollEditor } from './poll-editor.tsx'
import { offerQuote } from './quote-offer.tsx'

type PostEditorProps = {
  draft: Draft
  post: DraftPost
  /** Its place in the thread, from 0. */
  index: number
  limit: number
  onFocus: () => void
}

export function PostEditor({ draft, post, index, limit, onFocus }: PostEditorProps) {
  const t = texts.compose
  const isThread = draft.posts.length > 1
  const label = isThread ? t.text_of({ number: index + 1, total: draft.posts.length }) : t.text
  return (
    <div class="post-editor" data-post={post.key} onFocusCapture={onFocus}>
      {post.warning !== null && (
        <input
          class="warning-input"
          aria-label={t.warning}
          placeholder={t.warning_placeholder}
          dir="auto"
          value={post.warning}
          onInput={({ currentTarget }) => changePost(post.key, { warning: currentTarget.value })}
        />
      )}
      <TextInput post={post} label={label} isFirst={index === 0} isReply={draft.inReplyTo !== null} />
      {post.media.length > 0 && <MediaList post={post} />}
      {post.poll && <PollEditor post={post} poll={post.poll} />}
      <div class="post-editor-end">
        <CharactersLeft left={limit - charactersOf(post)} />
        {isThread && <IconButton icon={X} label={t.remove_post} onClick={() => removePost(post)} />}
      </div>
    </div>
  )
}

type TextInputProps = { post: DraftPost; label: string; isFirst: boolean; isReply: boolean }

function TextInput({ post, label, isFirst, isReply }: TextInputProps) {
  const t = texts.compose
  const area = useRef<HTMLTextAreaElement>(null)
  // Before the next frame: what is typed at once must not end up before the mentions.
  useLayoutEffect(() => {
    const { current } = area
    if (!current) return
    current.focus()
    // Of the mentions that a reply begins with, those after the first one are selected, to be overwritten.
    const isNew = /^(?:@\S+ )+$/.test(post.text)
    const rest = isNew ? post.text.indexOf(' ') + 1 : post.text.length
    current.setSelectionRange(rest, post.text.length)
  }, [])
  const setText = (text: string) => changePost(post.key, { text })
  return (
    <>
      <textarea
        ref={area}
        class="text-input"
        aria-label={label}
        placeholder={!isFirst ? t.placeholder_next : isReply ? t.placeholder_reply : t.placeholder}
        dir="auto"
        rows={isFirst ? 5 : 3}
        value={post.text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={(event) => {
          const { files: pasted = [], types = [] } = event.clipboardData ?? {}
          // Office software adds an image of the text that was copied.
          const files = types.includes('text/rtf') ? [] : [...pasted]
          if (files.length === 0) return void offerQuote(post.key, event.clipboardData?.getData('text') ?? '')
          event.preventDefault()
          void addFiles(post.key, files)
        }}
      />
      <Autocomplete area={area} text={post.text} onText={setText} />
    </>
  )
}
