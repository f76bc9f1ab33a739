// A button that shows all that a thread has behind content warnings and covers of sensitive media, or hides it again.
import { Eye, EyeOff } from 'lucide'
import type { Status } from '../api/entities.ts'
import { usePreferences } from '../state/me.ts'
import { findStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { choiceOf } from './disclosure.ts'
import { hidesMedia } from './media-grid.tsx'
import type { Thread } from './thread.ts'

/** None where nothing is hidden. */
export function RevealThread({ thread }: { thread: Thread }) {
  const expandsWarnings = usePreferences()['reading:expand:spoilers']
  const ids = [thread.id, ...thread.ancestors.value, ...thread.replies.value.map(({ id }) => id)]
  const parts = ids.flatMap((id) => partsOf(findStatus(id)?.value))
  if (parts.length === 0) return null
  const isShown = parts.every(({ choice, part }) => choice.value ?? (part === 'warning' && expandsWarnings))
  const toggle = () => {
    for (const { choice } of parts) choice.value = !isShown
  }
  return (
    <IconButton
      icon={isShown ? EyeOff : Eye}
      label={texts.threads.reveal}
      title={isShown ? texts.threads.hide : texts.threads.reveal}
      pressed={isShown}
      onClick={toggle}
    />
  )
}

function partsOf(status: Status | null | undefined) {
  if (!status) return []
  const { id, spoiler_text: warning, media_attachments: media, sensitive } = status
  const parts = [
    ...(warning ? (['warning'] as const) : []),
    ...(media.length > 0 && hidesMedia(sensitive) ? (['media'] as const) : []),
  ]
  return parts.map((part) => ({ part, choice: choiceOf(id, part) }))
}
