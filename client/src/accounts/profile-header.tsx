// Who an account is: names, badges, note, fields, counts.
import { BadgeCheck, Bell, Calendar, Ellipsis } from 'lucide'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { settings } from '../state/settings.ts'
import { isMe } from '../state/me.ts'
import { fill, fullDay, fullNumber, shortNumber, texts } from '../texts.ts'
import { accountPath } from '../ui/account-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { emojify, nameWithEmojis } from '../ui/emoji-text.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { accountMenu } from './account-menu.ts'
import { follow } from './acts.ts'
import { FamiliarFollowers } from './familiar-followers.tsx'
import { FollowButton } from './follow-button.tsx'
import { Handle } from './handle.tsx'
import { PrivateNote } from './private-note.tsx'
import { ProfileImages } from './profile-images.tsx'
import { followText } from './relationship-notices.tsx'
import './badge.css'
import './profile-header.css'

export function ProfileHeader({ account }: { account: Account }) {
  return (
    <>
      <ProfileImages account={account}>
        {isMe(account.id) ? (
          <a class="button secondary" href="/profile/edit">
            {texts.accounts.edit_profile}
          </a>
        ) : (
          <>
            <NotifyButton account={account} />
            <FollowButton account={account} />
          </>
        )}
        <Menu
          label={texts.accounts.more}
          triggerClass="icon-button outlined"
          trigger={<Icon icon={Ellipsis} />}
          items={() => accountMenu(account)}
        />
      </ProfileImages>
      <div class="profile-body">
        <h2 class="profile-name">
          <bdi>{nameWithEmojis(account)}</bdi>
        </h2>
        <Handle account={account} />
        <ProfileBadges account={account} />
        <ProfileDetails account={account} />
        {!isMe(account.id) && <FamiliarFollowers account={account} />}
        <PrivateNote account={account} />
      </div>
    </>
  )
}

/** Turns notifications about new posts of a followed account on and off. */
function NotifyButton({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  if (!relationship?.following) return null
  const { notifying } = relationship
  return (
    <IconButton
      icon={Bell}
      label={notifying ? texts.accounts.stop_notify : texts.accounts.notify}
      pressed={notifying}
      onClick={() => void follow(account, { notify: !notifying })}
    />
  )
}

export function ProfileBadges({ account }: { account: Account }) {
  const t = texts.accounts
  const follows = followText(account)
  const named = [
    account.bot && t.bot,
    account.group && t.group,
    account.locked && t.locked,
    account.memorial && t.memorial,
    account.limited && t.limited,
    ...(account.roles ?? []).map(({ name }) => name),
  ].filter((name) => typeof name === 'string')
  if (!follows && named.length === 0) return null
  return (
    <ul class="profile-badges">
      {follows && <li class="badge follows">{follows}</li>}
      {named.map((name) => (
        <li key={name} class="badge">
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Note, fields, date and counts. */
export function ProfileDetails({ account }: { account: Account }) {
  const joined = <time dateTime={account.created_at}>{fullDay(new Date(account.created_at))}</time>
  return (
    <>
      {account.note && (
        <div class="profile-note">
          <RichText html={account.note} emojis={account.emojis} />
        </div>
      )}
      <Fields account={account} />
      <p class="profile-joined">
        <Icon icon={Calendar} size={16} />
        <span>{fill(texts.accounts.joined, { date: joined })}</span>
      </p>
      <Counts account={account} />
    </>
  )
}

function Fields({ account: { fields, emojis } }: { account: Account }) {
  if (fields.length === 0) return null
  return (
    <dl class="profile-fields">
      {fields.map(({ name, value, verified_at: verified }, index) => (
        <div key={index} class={verified ? 'verified' : ''}>
          <dt dir="auto">{emojify(name, emojis)}</dt>
          <dd>
            {verified && (
              <span
                class="verified-mark"
                role="img"
                aria-label={texts.accounts.verified({ date: fullDay(new Date(verified)) })}
                title={texts.accounts.verified({ date: fullDay(new Date(verified)) })}
              >
                <Icon icon={BadgeCheck} size={18} />
              </span>
            )}
            <RichText html={value} emojis={emojis} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Counts({ account }: { account: Account }) {
  const t = texts.accounts
  const path = accountPath(account)
  const counts = [
    { href: path, count: account.statuses_count, text: t.post_count },
    { href: `${path}/following`, count: account.following_count, text: t.following_count },
    { href: `${path}/followers`, count: account.followers_count, text: t.follower_count },
  ]
  return (
    <ul class="profile-counts">
      {counts.map(({ href, count, text }) => (
        <li key={href}>
          <a href={href} title={settings.value.hideCounts ? undefined : fullNumber(count)}>
            {fill(text({ count }), { number: !settings.value.hideCounts && <strong>{shortNumber(count)}</strong> })}
          </a>
        </li>
      ))}
    </ul>
  )
}
