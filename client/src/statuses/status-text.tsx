// The text of a status: long ones are folded, and hashtags at the end stand in a row.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { RichText } from '../ui/rich-text.tsx'
import { choiceOf } from './disclosure.ts'
import { splitTags } from './tags.ts'

type StatusTextProps = {
  status: Status
  /** On its own screen a status is never folded. */
  isDetail: boolean
}

/** Texts below both are never measured. */
const LONG_TEXT = 700
const MANY_LINES = 14

/** Pixels above which a text is folded, and what then shows. The stylesheet has the second. */
const FOLD_ABOVE = 520

export function StatusText({ status, isDetail }: StatusTextProps) {
  const { html, tags } = useMemo(() => splitTags(status), [status.content, status.tags])
  const choice = choiceOf(status.id, 'text')
  const [isLong, setLong] = useState(false)
  const text = useRef<HTMLDivElement>(null)
  const mayFold = !isDetail && (html.length > LONG_TEXT || html.split(/<(?:br|p|li)\b/).length > MANY_LINES)
  useLayoutEffect(() => {
    setLong(mayFold && (text.current?.scrollHeight ?? 0) > FOLD_ABOVE)
  }, [mayFold, html])
  if (!html && tags.length === 0) return null
  const isFolded = isLong && choice.value !== true
  return (
    <>
      <div ref={text} class={isFolded ? 'status-text folded' : 'status-text'}>
        <RichText html={html} emojis={status.emojis} mentions={status.mentions} language={status.language} />
      </div>
      {isLong && (
        <button type="button" class="link-button" aria-expanded={!isFolded} onClick={() => (choice.value = isFolded)}>
          {isFolded ? texts.statuses.read_more : texts.statuses.show_less}
        </button>
      )}
      {tags.length > 0 && <TagRow tags={tags} />}
    </>
  )
}

function TagRow({ tags }: { tags: string[] }) {
  return (
    <p class="tag-row">
      {tags.map((tag) => (
        <a key={tag} class="hashtag" href={`/tags/${encodeURIComponent(tag)}`}>
          <bdi>#{tag}</bdi>
        </a>
      ))}
    </p>
  )
}
