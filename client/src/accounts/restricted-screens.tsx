// Blocked and muted accounts, and the accounts that the viewer features. Each stays in the list until the next visit, to undo it.
import type { VNode } from 'preact'
import { api, readPage } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { fullTime, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { AccountRow } from './account-row.tsx'
import { accountSource } from './account-source.ts'
import { block, endorse, mute, unblock, unmute } from './acts.ts'
import { PagedListView, type PagedSource } from '../ui/paged-list.tsx'

type RestrictedProps = {
  title: string
  intro?: string
  empty: string
  source: PagedSource<Account>
  render: (account: Account) => VNode
}

const RestrictedScreen = ({ title, intro, empty, source, render }: RestrictedProps) => (
  <Page title={title}>
    {intro && <p class="list-intro">{intro}</p>}
    <PagedListView source={source} label={title} empty={empty} render={render} />
  </Page>
)

const blocked = accountSource('blocks', (query) => readPage(api.GET('/api/v1/blocks', { params: { query } })))
const muted = accountSource('mutes', (query) => readPage<Account>(api.GET('/api/v1/mutes', { params: { query } })))
const endorsed = accountSource('endorsements', (query) =>
  readPage(api.GET('/api/v1/endorsements', { params: { query } })),
)

export function BlocksScreen() {
  const t = texts.accounts
  return (
    <RestrictedScreen
      title={t.blocks}
      empty={t.no_blocks}
      source={blocked}
      render={(account) => <BlockedRow account={account} />}
    />
  )
}

export function MutesScreen() {
  const t = texts.accounts
  return (
    <RestrictedScreen
      title={t.mutes}
      empty={t.no_mutes}
      source={muted}
      render={(account) => <MutedRow account={account} />}
    />
  )
}

export function EndorsementsScreen() {
  const t = texts.accounts
  return (
    <RestrictedScreen
      title={t.endorsements}
      intro={t.endorsements_text}
      empty={t.no_endorsements}
      source={endorsed}
      render={(account) => <EndorsedRow account={account} />}
    />
  )
}

function BlockedRow({ account }: { account: Account }) {
  const isBlocked = relationshipOf(account.id).value?.blocking !== false
  return (
    <AccountRow account={account}>
      <Button onClick={() => void (isBlocked ? unblock(account) : block(account))}>
        {isBlocked ? texts.accounts.unblock : texts.accounts.block}
      </Button>
    </AccountRow>
  )
}

function MutedRow({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  const t = texts.accounts
  const isMuted = relationship?.muting !== false
  const expires = relationship?.muting_expires_at
  const detail = [
    isMuted && expires ? t.muted_until({ date: fullTime(new Date(expires)) }) : '',
    isMuted && relationship?.muting_notifications === false ? t.notifications_shown : '',
  ]
  return (
    <AccountRow account={account} detail={detail.filter(Boolean).join(' · ')}>
      <Button onClick={() => void (isMuted ? unmute(account) : mute(account, { duration: 0, notifications: true }))}>
        {isMuted ? t.unmute : t.mute}
      </Button>
    </AccountRow>
  )
}

function EndorsedRow({ account }: { account: Account }) {
  const isFeatured = relationshipOf(account.id).value?.endorsed !== false
  return (
    <AccountRow account={account}>
      <Button onClick={() => void endorse(account, !isFeatured)}>
        {isFeatured ? texts.accounts.remove : texts.accounts.endorse}
      </Button>
    </AccountRow>
  )
}
