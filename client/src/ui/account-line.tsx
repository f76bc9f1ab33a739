// An account as a line: avatar, display name, handle.
import type { ComponentChildren } from 'preact'
import type { Account } from '../api/entities.ts'
import { mayAutoplay } from '../state/motion.ts'
import { nameWithEmojis } from './emoji-text.tsx'
import './account-line.css'

export const accountPath = (account: Pick<Account, 'acct'>): string => `/@${account.acct}`

/** As large as `size` pixels at the usual font size. */
export function Avatar({ account, size = 44 }: { account: Account; size?: number }) {
  const address = mayAutoplay() ? account.avatar : account.avatar_static
  return (
    <img
      class="avatar"
      src={address}
      alt=""
      width={size}
      height={size}
      style={{ '--avatar': `${size / 16}rem` }}
      loading="lazy"
      decoding="async"
    />
  )
}

export function DisplayName({ account }: { account: Account }) {
  return (
    <strong class="display-name" dir="auto">
      <bdi>{nameWithEmojis(account)}</bdi>
    </strong>
  )
}

/** The display name, which leads to the profile. */
export function NameLink({ account }: { account: Account }) {
  return (
    <a href={accountPath(account)} data-account={account.id}>
      <DisplayName account={account} />
    </a>
  )
}

/** Display name and handle, one below the other. */
export function AccountNames({ account }: { account: Account }) {
  return (
    <span class="account-names">
      <DisplayName account={account} />
      <bdi class="handle">@{account.acct}</bdi>
    </span>
  )
}

export function AccountLink({ account, size = 44 }: { account: Account; size?: number }) {
  return (
    <a href={accountPath(account)} class="account-link" data-account={account.id}>
      <Avatar account={account} size={size} />
      <AccountNames account={account} />
    </a>
  )
}

/** With `children` at the end of the line, such as a Follow button. */
export function AccountLine({ account, children }: { account: Account; children?: ComponentChildren }) {
  return (
    <div class="account-line">
      <AccountLink account={account} />
      {children}
    </div>
  )
}
