// Follow, with what it means for this account and how the viewer relates to it.
import { Check, Clock, UserPlus } from 'lucide'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { follow, unblock, unfollow } from './acts.ts'

export function FollowButton({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  const t = texts.accounts
  if (isMe(account.id)) return null
  if (!relationship)
    return (
      <Button disabled aria-busy="true">
        {t.follow}
      </Button>
    )
  if (relationship.blocking) return <Button onClick={() => void unblock(account)}>{t.unblock}</Button>
  if (relationship.following)
    return (
      <Button icon={Check} aria-pressed="true" title={t.unfollow} onClick={() => void unfollow(account)}>
        {t.following_button}
      </Button>
    )
  if (relationship.requested)
    return (
      <Button icon={Clock} onClick={() => void unfollow(account)}>
        {t.withdraw}
      </Button>
    )
  if (account.moved || account.memorial) return null
  const isRefused = relationship.blocked_by || account.suspended === true
  const label = account.locked ? t.request_follow : relationship.followed_by ? t.follow_back : t.follow
  return (
    <Button kind="primary" icon={UserPlus} disabled={isRefused} onClick={() => void follow(account)}>
      {label}
    </Button>
  )
}
