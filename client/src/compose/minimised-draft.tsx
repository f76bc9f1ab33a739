// A draft that waits beside what one reads meanwhile.
import { PenLine, X } from 'lucide'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { minimised, openComposer } from './open.ts'
import './minimised-draft.css'

export function MinimisedDraft({ draft, text }: { draft: string; text: string }) {
  const t = texts.compose
  return (
    <div class="minimised-draft" role="region" aria-label={t.continue_draft}>
      <Button icon={PenLine} autofocus onClick={() => openComposer({ draft })}>
        <bdi>{text.trim() || t.continue_draft}</bdi>
      </Button>
      <IconButton icon={X} label={t.keep_in_drafts} onClick={() => (minimised.value = null)} />
    </div>
  )
}
