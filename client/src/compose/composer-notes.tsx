// What the composer says about the draft: who writes it, that it was restored, who will see it, and why it could not be posted.
import { Files } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { extractHashtags, extractMentions } from '../../../src/lib/text/extract.ts'
import { otherAccountIds } from '../api/session.ts'
import { useMe } from '../state/me.ts'
import { fill, shortNumber, texts } from '../texts.ts'
import { Avatar } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { detach, startNewDraft } from './composing.ts'
import { failures, isRestored } from './current.ts'
import type { Draft } from './draft.ts'
import { showDrafts } from './drafts-dialog.tsx'
import { storedDrafts, unsentDrafts } from './store.ts'

/** Says who writes, to users who have several accounts in this browser. */
export function AuthorNote() {
  const me = useMe()
  if (otherAccountIds.length === 0) return null
  return (
    <p class="composer-author">
      <Avatar account={me} size={24} />
      <span>{fill(texts.compose.posting_as, { handle: <bdi>@{me.username}</bdi> })}</span>
    </p>
  )
}

export function RestoredNote() {
  const t = texts.compose
  if (!isRestored.value) return null
  return (
    <p class="composer-note" role="status">
      {t.restored}{' '}
      <Button kind="quiet" onClick={() => void startNewDraft()}>
        {t.start_afresh}
      </Button>
    </p>
  )
}

export function DraftsButton({ draft }: { draft: Draft }) {
  const count = storedDrafts.value.filter(({ id }) => id !== draft.id).length + unsentDrafts.value.length
  if (count === 0) return null
  return (
    <button type="button" class="composer-choice" onClick={showDrafts}>
      <Icon icon={Files} size={18} />
      {texts.frame.drafts}
      <span class="count-left">{shortNumber(count)}</span>
    </button>
  )
}

/** Explains the visibility beyond its name. */
export function AudienceNote({ draft }: { draft: Draft }) {
  const t = texts.compose
  const { locked } = useMe()
  const { visibility, posts } = draft
  if (visibility === 'direct') return <DirectNote draft={draft} />
  const isOpen = visibility === 'private' && !locked
  const hasTags = visibility !== 'public' && posts.some(({ text }) => extractHashtags(text).length > 0)
  if (!isOpen && !hasTags) return null
  return (
    <p class="composer-note" role="status">
      {isOpen && t.followers_note} {hasTags && t.hashtags_note}
    </p>
  )
}

/** Names those who will see a private mention. */
function DirectNote({ draft }: { draft: Draft }) {
  const t = texts.compose
  const handles = [...new Set(draft.posts.flatMap(({ text }) => extractMentions(text)))]
  return (
    <p class="composer-note">
      <strong>
        {handles.length > 0
          ? fill(t.direct_audience, { handles: <bdi>{handles.map((handle) => `@${handle}`).join(', ')}</bdi> })
          : t.direct_alone}
      </strong>{' '}
      {t.direct_note}
    </p>
  )
}

export function ComposerFailure({ draft }: { draft: Draft }) {
  const shown = useRef<HTMLDivElement>(null)
  // Below several attachments it would be out of view.
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [failures.value])
  return (
    failures.value.length > 0 && (
      <div ref={shown} class="composer-error" role="alert">
        {failures.value.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {failures.value.includes(texts.statuses.gone) && (
          <Button onClick={() => void detach(draft)}>{texts.compose.detach}</Button>
        )}
      </div>
    )
  )
}
