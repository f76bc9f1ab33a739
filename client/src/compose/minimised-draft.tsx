// A draft that waits beside what one reads meanwhile.
import { PenLine, X } from 'lucide'
import { useEffect } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { minimise, openComposer } from './open.ts'
import { loadDrafts, storedDrafts } from './store.ts'
import './minimised-draft.css'

export function MinimisedDraft({ id }: { id: string }) {
  const t = texts.compose
  useEffect(() => void loadDrafts(), [])
  const draft = storedDrafts.value.find((each) => each.id === id)
  // It was deleted, or sent by another tab.
  if (!draft) return null
  const text = draft.posts.map((post) => post.text).join(' ')
  return (
    <div class="minimised-draft" role="region" aria-label={t.continue_draft}>
      <Button icon={PenLine} onClick={() => openComposer({ draft: id })}>
        <bdi>{text.trim() || t.continue_draft}</bdi>
      </Button>
      <IconButton icon={X} label={t.keep_in_drafts} onClick={() => minimise(null)} />
    </div>
  )
}
