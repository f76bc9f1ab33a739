// Who wrote a status, when, and for which readers.
import { Bot, Pencil } from 'lucide'
import type { Status } from '../api/entities.ts'
import { fullTime, language, texts } from '../texts.ts'
import { AccountLink } from '../ui/account-line.tsx'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { statusPath } from './links.ts'
import { baseOf, languageName } from './language-name.ts'
import { VisibilityIcon } from './visibility.tsx'

export function StatusHeader({ status }: { status: Status }) {
  const { account, edited_at: editedAt } = status
  return (
    <header class="status-header">
      <AccountLink account={account} />
      <span class="status-time">
        <LanguageMark status={status} />
        {editedAt && (
          <a
            href={`${statusPath(status)}/history`}
            aria-label={texts.statuses.edited_at({ time: fullTime(new Date(editedAt)) })}
            title={texts.statuses.edited_at({ time: fullTime(new Date(editedAt)) })}
          >
            <Icon icon={Pencil} size={16} />
          </a>
        )}
        {account.bot && (
          <span role="img" aria-label={texts.accounts.bot} title={texts.accounts.bot}>
            <Icon icon={Bot} size={16} />
          </span>
        )}
        {/* A line above says that it is private. */}
        {status.visibility !== 'direct' && <VisibilityIcon visibility={status.visibility} />}
        <a href={statusPath(status)}>
          <RelativeTime at={status.created_at} />
        </a>
      </span>
    </header>
  )
}

/** Only for languages other than that of the client. */
function LanguageMark({ status: { language: tag } }: { status: Status }) {
  if (!tag || baseOf(tag) === baseOf(language)) return null
  return (
    <abbr class="language-mark" title={languageName(tag)}>
      {baseOf(tag)}
    </abbr>
  )
}
