// An account in a list, with what the viewer may want to know before following it.
import type { ComponentChildren } from 'preact'
import type { Account } from '../api/entities.ts'
import { findAccount } from '../state/accounts.ts'
import { AccountLine } from '../ui/account-line.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { FollowButton } from './follow-button.tsx'
import { followText, restrictionTexts } from './relationship-notices.tsx'
import './badge.css'
import './account-row.css'

type RowProps = {
  account: Account
  /** Instead of the Follow button. */
  children?: ComponentChildren
  /** A line below the names, such as when a mute ends. */
  detail?: ComponentChildren
  showsNote?: boolean
}

export function AccountRow({ account, children, detail, showsNote = false }: RowProps) {
  const current = findAccount(account.id)?.value ?? account
  const follows = followText(current)
  // A list with another button than Follow, such as the one of blocked accounts, says already what the button undoes.
  const restrictions = children ? [] : restrictionTexts(current)
  return (
    <div class="account-row">
      <AccountLine account={current}>
        <div class="account-row-buttons">{children ?? <FollowButton account={current} />}</div>
      </AccountLine>
      {(follows || detail || restrictions.length > 0) && (
        <p class="account-row-detail">
          {follows && <span class="badge follows">{follows}</span>}
          {restrictions.map((text) => (
            <span key={text} class="badge">
              {text}
            </span>
          ))}
          {detail}
        </p>
      )}
      {showsNote && current.note && (
        <div class="account-row-note">
          <RichText html={current.note} emojis={current.emojis} />
        </div>
      )}
    </div>
  )
}
