// The followers of an account, or the accounts that it follows.
import { api, readPage } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { isMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { accountPath } from '../ui/account-line.tsx'
import { nameWithEmojis, plainName } from '../ui/emoji-text.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AccountRow } from './account-row.tsx'
import { accountSource } from './account-source.ts'
import { isRemote } from './handle.tsx'
import { PagedListView } from '../ui/paged-list.tsx'
import { RemoteNotice } from './profile-states.tsx'

type Network = 'followers' | 'following'

const sourceOf = ({ id }: Account, list: Network) =>
  accountSource(`${list} ${id}`, (query) =>
    readPage(api.GET(`/api/v1/accounts/{id}/${list}`, { params: { path: { id }, query } })),
  )

export function ProfileNetwork({ account, list }: { account: Account; list: Network }) {
  const t = texts.accounts
  const path = accountPath(account)
  const tabs = [
    { href: `${path}/following`, label: t.following },
    { href: `${path}/followers`, label: t.followers },
  ]
  const isHidden = account.hide_collections === true && !isMe(account.id)
  const empty = isHidden ? t.network_hidden : list === 'followers' ? t.no_followers : t.no_following
  return (
    <Page
      title={plainName(account)}
      heading={nameWithEmojis(account)}
      bar={<Tabs label={t.profile} tabs={tabs} current={`${path}/${list}`} />}
    >
      <PagedListView
        source={sourceOf(account, list)}
        label={t[list]}
        empty={
          <>
            {empty}{' '}
            {isMe(account.id) && list === 'following' && <a href="/explore/people">{texts.timelines.find_people}</a>}
          </>
        }
        render={(each) => <AccountRow account={each} showsNote />}
      />
      {isRemote(account) && <RemoteNotice account={account} />}
    </Page>
  )
}
