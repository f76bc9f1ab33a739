// One post of the composer: content warning and text.
import { X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
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
      <TextInput post={post} label={label} isFirst={index === 0} />
      {post.media.length > 0 && <MediaList post={post} />}
      {post.poll && <PollEditor post={post} poll={post.poll} />}
      <div class="post-editor-end">
        <CharactersLeft left={limit - charactersOf(post)} />
        {isThread && <IconButton icon={X} label={t.remove_post} onClick={() => removePost(post.key)} />}
      </div>
    </div>
  )
}

function TextInput({ post, label, isFirst }: { post: DraftPost; label: string; isFirst: boolean }) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = area
    if (!current) return
    current.focus()
    // The mentions of a reply stay; those after the first one are selected, to be overwritten.
    const rest = /^@\S+ (?=@)/.exec(post.text)?.[0].length ?? post.text.length
    current.setSelectionRange(rest, post.text.length)
  }, [])
  const setText = (text: string) => changePost(post.key, { text })
  return (
    <>
      <textarea
        ref={area}
        class="text-input"
        aria-label={label}
        placeholder={isFirst ? texts.compose.placeholder : texts.compose.placeholder_next}
        dir="auto"
        rows={isFirst ? 5 : 3}
        value={post.text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])]
          if (files.length === 0) return
          event.preventDefault()
          void addFiles(post.key, files)
        }}
      />
      <Autocomplete area={area} text={post.text} onText={setText} />
    </>
  )
}
