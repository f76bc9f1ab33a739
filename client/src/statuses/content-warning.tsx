import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { emojify } from '../ui/emoji-text.tsx'

type WarningProps = { status: Status; isOpen: boolean; onToggle: () => void }

/** The content warning of a status, with the button that shows and hides what it warns of. */
export function ContentWarning({ status, isOpen, onToggle }: WarningProps) {
  const { spoiler_text: warning, emojis, language } = status
  return (
    <div class="content-warning">
      <p dir="auto" lang={language || undefined}>
        {emojify(warning, emojis)}
      </p>
      <Button aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? texts.statuses.show_less : texts.statuses.show_more}
      </Button>
    </div>
  )
}
