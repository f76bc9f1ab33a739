// Accounts that show less than others: moved, suspended, limited, and those of other servers.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'
import { fill, texts } from '../texts.ts'
import { AccountLine, DisplayName } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { webAddress } from '../ui/web-address.ts'
import { FollowButton } from './follow-button.tsx'
import { hostOf } from './handle.tsx'
import { ProfileImages } from './profile-images.tsx'

export function MovedNotice({ account }: { account: Account }) {
  const { moved } = account
  if (!moved) return null
  const name = (
    <bdi>
      <DisplayName account={account} />
    </bdi>
  )
  return (
    <div class="profile-notice">
      <p>{fill(texts.accounts.moved, { name })}</p>
      <AccountLine account={moved}>
        <FollowButton account={moved} />
      </AccountLine>
    </div>
  )
}

/** Shows the profile, unless the account is suspended, or limited and not yet asked for. */
export function ProfileGate({ account, children }: { account: Account; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const relationship = relationshipOf(account.id).value
  const t = texts.accounts
  if (account.suspended)
    return (
      <>
        <ProfileImages account={account}>
          {(relationship?.following || relationship?.requested) && <FollowButton account={account} />}
        </ProfileImages>
        <div class="profile-gate">
          <p>
            <strong>
              <bdi>@{account.acct}</bdi>
            </strong>
          </p>
          <p>{t.suspended}</p>
        </div>
      </>
    )
  if (account.limited && !isOpen && !isMe(account.id) && !relationship?.following)
    return (
      <div class="profile-gate">
        <p>{t.limited_text({ host: hostOf(account) })}</p>
        <Button onClick={() => setOpen(true)}>{t.show_profile}</Button>
      </div>
    )
  return <>{children}</>
}

/** What this server has of a remote account may be less than there is. */
export function RemoteNotice({ account }: { account: Account }) {
  return (
    <p class="remote-notice">
      {texts.accounts.remote_text({ host: hostOf(account) })}{' '}
      <a href={webAddress(account.url ?? account.uri)} target="_blank" rel="noopener noreferrer">
        {texts.accounts.open_original}
      </a>
    </p>
  )
}
