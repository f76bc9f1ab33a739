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

type StatusItemProps = {
  id: string
  /** Ids of boosts of it, newest first. */
  boosts?: readonly string[]
  /** Ids of the author's later posts of the thread, in reading order. */
  thread?: readonly string[]
}

export function StatusItem({ id, boosts = [], thread = [] }: StatusItemProps) {
  const status = findStatus(id)?.value
  if (!status) return null
  return (
    <>
      <StatusArticle status={status}>{boosts.length > 0 && <BoostLine boosts={boosts} />}</StatusArticle>
      {thread.map((each) => (
        <StatusItem key={each} id={each} />
      ))}
    </>
  )
}

function BoostLine({ boosts }: { boosts: readonly string[] }) {
  const account = findStatus(boosts[0] ?? '')?.value?.account
  if (!account) return null
  const name = (
    <a href={accountPath(account)} data-account={account.id}>
      <DisplayName account={account} />
    </a>
  )
  const others = boosts.length - 1
  return (
    <p class="status-reason">
      <Icon icon={Repeat2} size={16} />
      {fill(others > 0 ? texts.statuses.boosted_by_many({ count: others }) : texts.statuses.boosted_by, { name })}
    </p>
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
