// The drafts of this device, and what was written offline and is not sent yet.
import { signal } from '@preact/signals'
import { Pencil, RotateCw, Trash2 } from 'lucide'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/state-message.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { saveNow } from './autosave.ts'
import { currentDraft } from './current.ts'
import type { Draft } from './draft.ts'
import { openComposer } from './open.ts'
import { retryDraft } from './outbox.ts'
import { removeDraft, storedDrafts, unsentDrafts } from './store.ts'
import './drafts-dialog.css'

const isOpen = signal(false)

export const showDrafts = (): void => void (isOpen.value = true)
const close = (): void => void (isOpen.value = false)

export function DraftsDialog() {
  const t = texts.compose
  const unsent = unsentDrafts.value
  const drafts = storedDrafts.value.filter(({ id }) => id !== currentDraft.value?.id)
  if (!isOpen.value) return null
  return (
    <Dialog title={texts.frame.drafts} onClose={close}>
      {unsent.length > 0 && (
        <section aria-label={t.unsent_title}>
          <h3>{t.unsent_title}</h3>
          <DraftList drafts={unsent} />
        </section>
      )}
      {unsent.length > 0 && drafts.length > 0 && <h3>{texts.frame.drafts}</h3>}
      {drafts.length > 0 && <DraftList drafts={drafts} />}
      {unsent.length + drafts.length === 0 && <Empty>{t.no_drafts}</Empty>}
    </Dialog>
  )
}

function DraftList({ drafts }: { drafts: readonly Draft[] }) {
  return (
    <ul class="draft-list">
      {drafts.map((draft) => (
        <DraftRow key={draft.id} draft={draft} />
      ))}
    </ul>
  )
}

function DraftRow({ draft }: { draft: Draft }) {
  const t = texts.compose
  const { posts, state, error, inReplyTo } = draft
  const media = posts.reduce((count, post) => count + post.media.length, 0)
  const text = posts.map((post) => post.text || post.warning).find((each) => each?.trim())
  return (
    <li class="draft-row">
      <button type="button" class="draft-open" onClick={() => void open(draft)}>
        <span class="draft-text" dir="auto">
          {text ?? t.no_text}
        </span>
        <small>
          <RelativeTime at={new Date(draft.changedAt).toISOString()} />
          {posts.length > 1 && ` · ${t.posts_count({ count: posts.length })}`}
          {media > 0 && ` · ${t.media_count({ count: media })}`}
          {inReplyTo && ` · ${t.reply_to({ handle: inReplyTo.account.acct })}`}
        </small>
        {state === 'queued' && <small>{t.waiting}</small>}
        {state === 'refused' && <small class="draft-error">{error}</small>}
      </button>
      {state !== 'draft' && (
        <>
          <IconButton icon={RotateCw} label={t.send_now} onClick={() => void retryDraft(draft)} />
          <IconButton icon={Pencil} label={t.edit_unsent} onClick={() => void open(draft)} />
        </>
      )}
      <IconButton icon={Trash2} label={t.delete_draft} onClick={() => void discard(draft)} />
    </li>
  )
}

async function open(draft: Draft): Promise<void> {
  await saveNow()
  close()
  openComposer({ draft: draft.id })
}

async function discard(draft: Draft): Promise<void> {
  const question = { title: texts.compose.delete_draft_title, action: texts.compose.delete_draft, isDanger: true }
  if (await confirm(question)) await removeDraft(draft)
}
