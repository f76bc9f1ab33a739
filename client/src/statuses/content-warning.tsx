import type { Status } from '../api/entities.ts'
import { usePreferences } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { emojify } from '../ui/emoji-text.tsx'
import { choiceOf } from './disclosure.ts'

/** Whether the viewer sees what a status warns of; always where it has no warning. */
export const showsContent = ({ id, spoiler_text: warning }: Status): boolean =>
  !warning || (choiceOf(id, 'warning').value ?? usePreferences()['reading:expand:spoilers'])

/** The content warning of a status, with the button that shows and hides what it warns of. */
export function ContentWarning({ status }: { status: Status }) {
  const { id, spoiler_text: warning, emojis, language } = status
  if (!warning) return null
  const isOpen = showsContent(status)
  return (
    <div class="content-warning">
      <p dir="auto" lang={language || undefined}>
        {emojify(warning, emojis)}
      </p>
      <Button aria-expanded={isOpen} onClick={() => (choiceOf(id, 'warning').value = !isOpen)}>
        {isOpen ? texts.statuses.show_less : texts.statuses.show_more}
      </Button>
    </div>
  )
}
