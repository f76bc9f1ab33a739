// A group of notifications: who did what, and what it is about.
import { X } from 'lucide'
import type { Account, NotificationGroup } from '../api/entities.ts'
import { FollowButton } from '../accounts/follow-button.tsx'
import { findAccount } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'
import { findStatus } from '../state/statuses.ts'
import { statusPath } from '../statuses/links.ts'
import { StatusItem } from '../statuses/status-item.tsx'
import { fill, texts } from '../texts.ts'
import { accountPath, Avatar, NameLink } from '../ui/account-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { emojify, nameText } from '../ui/emoji-text.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { FollowRequestButtons } from './follow-request-buttons.tsx'
import { KINDS } from './kinds.ts'
import { isUnread, type NotificationList } from './notifications.ts'
import { OtherDetails } from './other-details.tsx'
import './notification-item.css'

type ItemProps = { group: NotificationGroup; list: NotificationList }

export function NotificationItem({ group, list }: ItemProps) {
  const kind = KINDS[group.type]
  const accounts = group.sample_account_ids.flatMap((id) => findAccount(id)?.value ?? [])
  const [first] = accounts
  // What moderators do to the viewer comes from the viewer's account.
  const others = accounts.filter(({ id }) => !isMe(id))
  const isNew = isUnread(group)
  return (
    <article
      class={isNew ? 'notification unread' : 'notification'}
      tabIndex={-1}
      data-item=""
      aria-label={texts.notifications.kinds[group.type]}
    >
      <div class="notification-icon" data-tone={kind?.tone}>
        {kind && <Icon icon={kind.icon} size={22} />}
      </div>
      <div class="notification-content">
        <header>
          {kind?.status !== 'whole' && others.length > 0 && <Avatars group={group} accounts={others} />}
          <p class="notification-text">
            {isNew && <span class="visually-hidden">{texts.notifications.unread} </span>}
            <Sentence group={group} first={first} />{' '}
            {group.latest_page_notification_at && (
              <small>
                <RelativeTime at={group.latest_page_notification_at} />
              </small>
            )}
          </p>
          <IconButton icon={X} label={texts.notifications.dismiss} onClick={() => void list.dismiss(group)} />
        </header>
        {group.type === 'follow' && accounts.length === 1 && first && <FollowButton account={first} />}
        {group.type === 'follow_request' && first && <FollowRequestButtons account={first} />}
        <OtherDetails group={group} />
        {kind?.status === 'short' && group.status_id && <ShortStatus id={group.status_id} />}
      </div>
      {kind?.status === 'whole' && group.status_id && (
        <div class="notification-status">
          <StatusItem id={group.status_id} />
        </div>
      )}
    </article>
  )
}

function Avatars({ group, accounts }: { group: NotificationGroup; accounts: readonly Account[] }) {
  const { group_key: key, notifications_count: count } = group
  // New followers may be followed in turn.
  const leadsOn = count > accounts.length || (group.type === 'follow' && count > 1)
  return (
    <div class="notification-avatars">
      {accounts.map((account) => (
        <a key={account.id} href={accountPath(account)} aria-label={nameText(account)} data-account={account.id}>
          <Avatar account={account} size={36} />
        </a>
      ))}
      {leadsOn && (
        <a class="all-accounts" href={`/notifications/${encodeURIComponent(key)}/accounts`}>
          {texts.notifications.all_accounts({ count })}
        </a>
      )}
    </div>
  )
}

function Sentence({ group, first }: { group: NotificationGroup; first: Account | undefined }) {
  const t = texts.notifications
  const name = first && <NameLink account={first} />
  const others = group.notifications_count - 1
  const ofSeveral = (t.sentences_of_several as Partial<Record<NotificationGroup['type'], string>>)[group.type]
  if (ofSeveral && others > 0) return fill(ofSeveral, { who: fill(t.and_others({ count: others }), { name }) })
  const target = group.event?.target_name ?? group.report?.target_account.acct ?? ''
  return fill(t.sentences[group.type], { who: name, target: <bdi>{target}</bdi> })
}

/** A few lines of the viewer's own post. */
export function ShortStatus({ id }: { id: string }) {
  const status = findStatus(id)?.value
  if (!status) return null
  const text = htmlToPlainText(status.content)
  return (
    <a class="short-status" href={statusPath(status)} dir="auto">
      {status.spoiler_text || (text ? emojify(text, status.emojis) : texts.notifications.media_only)}
    </a>
  )
}
