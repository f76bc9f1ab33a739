// Blocked and muted accounts, and the accounts that the viewer features. Each stays in the list until the next visit, to undo it.
import { api, readPage, type Page as ApiPage } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { relationshipOf, storeAccount } from '../state/accounts.ts'
import { fullTime, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { AccountRow } from './account-row.tsx'
import { block, endorse, mute, unblock, unmute } from './acts.ts'
import { PagedListView, type PagedSource } from '../ui/paged-list.tsx'

export async function storePage<T extends Account>(loaded: Promise<ApiPage<T>>): Promise<ApiPage<T>> {
  const page = await loaded
  for (const each of page.items) storeAccount(each)
  return page
}

const keyOf = ({ id }: Account): string => id

const blocked: PagedSource<Account> = {
  key: 'blocks',
  keyOf,
  load: (query) => storePage(readPage(api.GET('/api/v1/blocks', { params: { query } }))),
}

export function BlocksScreen() {
  const t = texts.accounts
  return (
    <Page title={t.blocks}>
      <PagedListView
        source={blocked}
        label={t.blocks}
        empty={t.no_blocks}
        render={(account) => (
          <AccountRow account={account}>
            <BlockButton account={account} />
          </AccountRow>
        )}
      />
    </Page>
  )
}

function BlockButton({ account }: { account: Account }) {
  const isBlocked = relationshipOf(account.id).value?.blocking !== false
  return (
    <Button onClick={() => void (isBlocked ? unblock(account) : block(account))}>
      {isBlocked ? texts.accounts.unblock : texts.accounts.block}
    </Button>
  )
}

const muted: PagedSource<Account> = {
  key: 'mutes',
  keyOf,
  load: (query) => storePage(readPage<Account>(api.GET('/api/v1/mutes', { params: { query } }))),
}

export function MutesScreen() {
  const t = texts.accounts
  return (
    <Page title={t.mutes}>
      <PagedListView
        source={muted}
        label={t.mutes}
        empty={t.no_mutes}
        render={(account) => <MutedRow account={account} />}
      />
    </Page>
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
      <Button onClick={() => void (isMuted ? unmute(account) : mute(account, 0, true))}>
        {isMuted ? t.unmute : t.mute}
      </Button>
    </AccountRow>
  )
}

const endorsed: PagedSource<Account> = {
  key: 'endorsements',
  keyOf,
  load: (query) => storePage(readPage(api.GET('/api/v1/endorsements', { params: { query } }))),
}

export function EndorsementsScreen() {
  const t = texts.accounts
  return (
    <Page title={t.endorsements}>
      <p class="list-intro">{t.endorsements_text}</p>
      <PagedListView
        source={endorsed}
        label={t.endorsements}
        empty={t.no_endorsements}
        render={(account) => (
          <AccountRow account={account}>
            <EndorseButton account={account} />
          </AccountRow>
        )}
      />
    </Page>
  )
}

function EndorseButton({ account }: { account: Account }) {
  const isFeatured = relationshipOf(account.id).value?.endorsed !== false
  return (
    <Button onClick={() => void endorse(account, !isFeatured)}>
      {isFeatured ? texts.accounts.unendorse : texts.accounts.endorse}
    </Button>
  )
}
