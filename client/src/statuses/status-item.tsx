// A status in a list. A boost shows the boosted status under a line that names who boosted.
import { Repeat2 } from 'lucide'
import { useLocation } from 'preact-iso'
import type { Status } from '../api/entities.ts'
import { findStatus } from '../state/statuses.ts'
import { fill, texts } from '../texts.ts'
import { accountPath, Avatar, DisplayName } from '../ui/account-line.tsx'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { StatusActions } from './status-actions.tsx'
import { StatusBody } from './status-body.tsx'
import { VisibilityIcon } from './visibility.tsx'
import './status-item.css'

export const statusPath = (status: Pick<Status, 'id' | 'account'>): string => `/@${status.account.acct}/${status.id}`

export function StatusItem({ id }: { id: string }) {
  const status = findStatus(id)?.value
  if (!status) return null
  const boosted = status.reblog && (findStatus(status.reblog.id)?.value ?? (status.reblog as Status))
  if (!boosted) return <StatusArticle status={status} />
  return (
    <StatusArticle status={boosted}>
      <p class="status-reason">
        <Icon icon={Repeat2} size={16} />
        {fill(texts.statuses.boosted_by, {
          name: (
            <a href={accountPath(status.account)} data-account={status.account.id}>
              <DisplayName account={status.account} />
            </a>
          ),
        })}
      </p>
    </StatusArticle>
  )
}

type ArticleProps = { status: Status; children?: preact.ComponentChildren }

function StatusArticle({ status, children }: ArticleProps) {
  const { route } = useLocation()
  const { account } = status
  return (
    <article
      class="status"
      tabIndex={0}
      aria-label={account.display_name || account.username}
      data-status={status.id}
      onClick={(event) => isPlainClick(event) && route(statusPath(status))}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) route(statusPath(status))
      }}
    >
      {children}
      <StatusHeader status={status} />
      <StatusBody status={status} />
      <StatusActions status={status} />
    </article>
  )
}

function StatusHeader({ status }: { status: Status }) {
  const { account } = status
  return (
    <header class="status-header">
      <a href={accountPath(account)} class="account-link" data-account={account.id}>
        <Avatar account={account} />
        <span class="account-names">
          <DisplayName account={account} />
          <bdi class="handle">@{account.acct}</bdi>
        </span>
      </a>
      <a href={statusPath(status)} class="status-time">
        <VisibilityIcon visibility={status.visibility} />
        <RelativeTime at={status.created_at} />
        {status.edited_at && <span title={texts.statuses.edited}>*</span>}
      </a>
    </header>
  )
}

/** Clicks on links, buttons and media have their own meaning, and a selection of text is no click. */
function isPlainClick(event: MouseEvent): boolean {
  const control = (event.target as Element).closest('a, button, input, label, summary, video, audio, dialog, [popover]')
  return !control && !event.defaultPrevented && getSelection()?.isCollapsed !== false
}
