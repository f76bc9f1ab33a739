// A status inside the composer: what is answered or quoted.
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Avatar, DisplayName } from '../ui/account-line.tsx'
import { emojify } from '../ui/emoji-text.tsx'
import { RichText } from '../ui/rich-text.tsx'

export function StatusPreview({ status, label }: { status: Status; label: string }) {
  const { account } = status
  const media = status.media_attachments.length
  return (
    <section class="status-preview" aria-label={label} tabIndex={0}>
      <header>
        <Avatar account={account} size={24} />
        <DisplayName account={account} />
        <bdi class="handle">@{account.acct}</bdi>
      </header>
      {status.spoiler_text && <p dir="auto">{emojify(status.spoiler_text, status.emojis)}</p>}
      <RichText html={status.content} emojis={status.emojis} language={status.language} />
      {media > 0 && <small>{texts.compose.media_count({ count: media })}</small>}
    </section>
  )
}
