// The text of a status: long ones are folded, and hashtags at the end stand in a row.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { RichText } from '../ui/rich-text.tsx'
import { tagPath } from '../ui/tag-path.ts'
import { choiceOf } from './disclosure.ts'
import { splitMentions } from './leading-mentions.ts'
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
  const { html, tags, mentions } = useMemo(() => {
    const split = splitTags(status)
    return { ...split, ...splitMentions(split.html, status) }
  }, [status.content, status.tags, status.mentions])
  const choice = choiceOf(status.id, 'text')
  const [isLong, setLong] = useState(false)
  const text = useRef<HTMLDivElement>(null)
  const mayFold = !isDetail && (html.length > LONG_TEXT || html.split(/<(?:br|p|li)\b/).length > MANY_LINES)
  useLayoutEffect(() => {
    setLong(mayFold && (text.current?.scrollHeight ?? 0) > FOLD_ABOVE)
  }, [mayFold, html])
  if (!html && tags.length === 0 && mentions.length === 0) return null
  const isFolded = isLong && choice.value !== true
  return (
    <>
      {mentions.length > 0 && <MentionRow status={status} mentions={mentions} />}
      <div ref={text} class={isFolded ? 'status-text folded' : 'status-text'}>
        <RichText html={html} emojis={status.emojis} mentions={status.mentions} language={status.language} />
      </div>
      {isLong && (
        <button
          type="button"
          class="link-button read-more"
          aria-expanded={!isFolded}
          onClick={() => (choice.value = isFolded)}
        >
          {isFolded ? texts.statuses.read_more : texts.statuses.show_less}
        </button>
      )}
      {tags.length > 0 && <TagRow tags={tags} />}
    </>
  )
}

/** The first, and the others on demand. */
function MentionRow({ status, mentions }: { status: Status; mentions: string[] }) {
  const choice = choiceOf(status.id, 'mentions')
  const shown = choice.value ? mentions : mentions.slice(0, 1)
  const others = mentions.length - shown.length
  return (
    <p class="mention-row">
      {shown.map((acct) => (
        <a
          key={acct}
          class="mention"
          href={`/@${acct}`}
          data-account={status.mentions.find((each) => each.acct === acct)?.id}
        >
          <bdi>@{acct}</bdi>
        </a>
      ))}
      {others > 0 && (
        <button type="button" class="link-button" aria-expanded={false} onClick={() => (choice.value = true)}>
          {texts.statuses.more_mentions({ count: others })}
        </button>
      )}
    </p>
  )
}

function TagRow({ tags }: { tags: string[] }) {
  return (
    <p class="tag-row">
      {tags.map((tag) => (
        <a key={tag} class="hashtag" href={tagPath(tag)}>
          <bdi>#{tag}</bdi>
        </a>
      ))}
    </p>
  )
}
