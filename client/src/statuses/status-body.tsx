// What a status says: content warning, text, media.
import { useState } from 'preact/hooks'
import type { Status } from '../api/entities.ts'
import { usePreferences } from '../state/me.ts'
import { texts } from '../texts.ts'
import { emojify } from '../ui/emoji-text.tsx'
import { Button } from '../ui/button.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { MediaGrid } from './media-grid.tsx'

export function StatusBody({ status }: { status: Status }) {
  const preferences = usePreferences()
  const [isOpen, setOpen] = useState(preferences['reading:expand:spoilers'] === true)
  const { spoiler_text: warning } = status
  return (
    <div class="status-body">
      {warning && (
        <div class="content-warning">
          <p dir="auto">{emojify(warning, status.emojis)}</p>
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.statuses.show_less : texts.statuses.show_more}
          </Button>
        </div>
      )}
      {(isOpen || !warning) && (
        <>
          <RichText
            html={status.content}
            emojis={status.emojis}
            mentions={status.mentions}
            language={status.language}
          />
          {status.media_attachments.length > 0 && <MediaGrid status={status} />}
        </>
      )}
    </div>
  )
}
