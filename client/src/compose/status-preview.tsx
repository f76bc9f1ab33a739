// A status inside the composer: what is answered or quoted.
import { X } from 'lucide'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Avatar, DisplayName } from '../ui/account-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { emojify } from '../ui/emoji-text.tsx'
import { RichText } from '../ui/rich-text.tsx'

type StatusPreviewProps = { status: Status; label: string; onRemove?: () => void }

export function StatusPreview({ status, label, onRemove }: StatusPreviewProps) {
  const { account } = status
  const media = status.media_attachments.length
  return (
    <section class="status-preview" aria-label={label} tabIndex={0}>
      <header>
        <Avatar account={account} size={24} />
        <DisplayName account={account} />
        <bdi class="handle">@{account.acct}</bdi>
        {onRemove && <IconButton icon={X} label={texts.compose.remove_quote} onClick={onRemove} />}
      </header>
      {status.spoiler_text && <p dir="auto">{emojify(status.spoiler_text, status.emojis)}</p>}
      <RichText html={status.content} emojis={status.emojis} language={status.language} />
      {media > 0 && <small>{texts.compose.media_count({ count: media })}</small>}
    </section>
  )
}
