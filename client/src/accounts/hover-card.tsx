// A profile in short, beside the link that the mouse or the keyboard is on.
import { autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/dom'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { findAccount, storeAccount } from '../state/accounts.ts'
import { settings } from '../state/settings.ts'
import { fill, shortNumber, texts } from '../texts.ts'
import { accountPath, Avatar, DisplayName } from '../ui/account-line.tsx'
import { nameText } from '../ui/emoji-text.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { FamiliarFollowers } from './familiar-followers.tsx'
import { FollowButton } from './follow-button.tsx'
import { closeHoverCard } from './hovered-link.ts'
import { useCached } from '../state/cached.ts'
import { followText, restrictionTexts } from './relationship-notices.tsx'
import './badge.css'
import './hover-card.css'

export function HoverCard({ link }: { link: HTMLElement }) {
  const id = link.dataset.account ?? ''
  const { url } = useLocation()
  const first = useRef(url)
  useEffect(() => {
    if (url !== first.current) closeHoverCard()
  }, [url])
  const { value: data } = useCached(`account ${id}`, () => loadAccount(id))
  const account = findAccount(id)?.value ?? data
  if (!account || account.suspended) return null
  return <Card link={link} account={account} />
}

async function loadAccount(id: string): Promise<Account> {
  const account = await read(api.GET('/api/v1/accounts/{id}', { params: { path: { id } } }))
  storeAccount(account)
  return account
}

function Card({ link, account }: { link: HTMLElement; account: Account }) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const shown = card.current
    if (!shown) return
    shown.showPopover()
    return autoUpdate(link, shown, () => {
      if (!link.isConnected) return closeHoverCard()
      const middleware = [offset(6), flip({ padding: 8 }), shift({ padding: 8 })]
      void computePosition(link, shown, { strategy: 'fixed', placement: 'bottom-start', middleware }).then(({ x, y }) =>
        Object.assign(shown.style, { left: `${x}px`, top: `${y}px` }),
      )
    })
  }, [link])
  const t = texts.accounts
  const follows = followText(account)
  const number = (count: number) => ({ number: <strong>{shortNumber(count)}</strong> })
  return (
    <div
      ref={card}
      popover="manual"
      role="complementary"
      aria-label={nameText(account)}
      class="hover-card"
      onPointerLeave={closeHoverCard}
    >
      <div class="hover-card-top">
        <a href={accountPath(account)} tabIndex={-1} aria-hidden="true">
          <Avatar account={account} size={56} />
        </a>
        <FollowButton account={account} />
      </div>
      <a href={accountPath(account)} class="account-names">
        <DisplayName account={account} />
        <bdi class="handle">@{account.acct}</bdi>
      </a>
      {follows && <span class="badge follows">{follows}</span>}
      {restrictionTexts(account).map((text) => (
        <span key={text} class="badge">
          {text}
        </span>
      ))}
      {account.note && (
        <div class="hover-card-note">
          <RichText html={account.note} emojis={account.emojis} />
        </div>
      )}
      {!settings.value.hideCounts && (
        <p class="hover-card-counts">
          <span>{fill(t.post_count({ count: account.statuses_count }), number(account.statuses_count))}</span>
          <span>{fill(t.follower_count({ count: account.followers_count }), number(account.followers_count))}</span>
        </p>
      )}
      <FamiliarFollowers account={account} />
    </div>
  )
}
