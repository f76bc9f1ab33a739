// How the viewer and an account relate, in words, each with the way out.
import type { ComponentChildren } from 'preact'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'
import { fullTime, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { openStatusDialog } from '../statuses/open.ts'
import { answerRequest, block, handleText, unblock, unmute } from './acts.ts'
import { hostOf } from './handle.tsx'
import { unblockDomain } from './domain-acts.ts'
import './relationship-notices.css'

/** `You block this account` and the like: short, for badges. */
export function restrictionTexts(account: Account): string[] {
  const relationship = relationshipOf(account.id).value
  if (!relationship) return []
  const t = texts.accounts
  return [
    relationship.blocked_by && t.blocks_you_badge,
    relationship.blocking && t.blocked_badge,
    relationship.domain_blocking && t.domain_blocked_badge,
    relationship.muting && t.muted_badge,
  ].filter((text) => typeof text === 'string')
}

/** `Follows you` and the like: short, for badges. Null when there is nothing to say. */
export function followText(account: Account): string | null {
  const relationship = isMe(account.id) ? null : relationshipOf(account.id).value
  if (!relationship?.followed_by) return null
  return relationship.following ? texts.accounts.mutual : texts.accounts.follows_you
}

export function RelationshipNotices({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  if (!relationship || isMe(account.id)) return null
  const t = texts.accounts
  const handle = handleText(account)
  const host = hostOf(account)
  const { muting_expires_at: expires } = relationship
  return (
    <>
      {relationship.requested_by && (
        <Notice text={t.requests_you({ handle })}>
          <Button kind="primary" onClick={() => void answerRequest(account, 'authorize')}>
            {t.accept}
          </Button>
          <Button onClick={() => void answerRequest(account, 'reject')}>{t.reject}</Button>
        </Notice>
      )}
      {relationship.blocked_by && (
        <Notice text={t.blocks_you({ handle })}>
          {!relationship.blocking && <Button onClick={() => void block(account)}>{t.block_item}</Button>}
          <Button onClick={() => openStatusDialog({ kind: 'report', account, status: null })}>
            {texts.statuses.report_item}
          </Button>
        </Notice>
      )}
      {relationship.blocking && (
        <Notice text={t.you_block({ handle })}>
          <Button onClick={() => void unblock(account)}>{t.unblock}</Button>
        </Notice>
      )}
      {relationship.muting && (
        <Notice
          text={expires ? t.you_mute_until({ handle, date: fullTime(new Date(expires)) }) : t.you_mute({ handle })}
        >
          <Button onClick={() => void unmute(account)}>{t.unmute}</Button>
        </Notice>
      )}
      {relationship.domain_blocking && (
        <Notice text={t.you_block_domain({ host })}>
          <Button onClick={() => void unblockDomain(host)}>{t.unblock_domain({ host })}</Button>
        </Notice>
      )}
    </>
  )
}

function Notice({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <div class="relationship-notice">
      <p dir="auto">{text}</p>
      <div class="buttons">{children}</div>
    </div>
  )
}
