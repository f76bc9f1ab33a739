// Accounts that want to be found: on this server or on all that it knows.
import { useLocation, useRoute } from 'preact-iso'
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AccountRow } from './account-row.tsx'
import { PagedListView, type PagedSource } from '../ui/paged-list.tsx'

const PAGE = 40

type Order = 'active' | 'new'

function sourceOf(order: Order, local: boolean): PagedSource<Account> {
  return {
    key: `directory ${order} ${local}`,
    keyOf: ({ id }) => id,
    async load({ offset = '0' }) {
      const query = { order, local, limit: PAGE, offset: Number(offset) }
      const items = await read(api.GET('/api/v1/directory', { params: { query } }))
      for (const each of items) storeAccount(each)
      return { items, next: items.length < PAGE ? null : { offset: String(Number(offset) + PAGE) } }
    },
  }
}

const addressOf = (order: Order, local: boolean): string => `/directory?order=${order}${local ? '&local=true' : ''}`

export function DirectoryScreen() {
  const { query } = useRoute()
  const { route } = useLocation()
  const order = query.order === 'new' ? 'new' : 'active'
  const local = query.local === 'true'
  const { directory } = texts.accounts
  const t = texts.explore
  const tabs = [
    { href: addressOf('active', local), label: t.recently_active },
    { href: addressOf('new', local), label: t.new_arrivals },
  ]
  return (
    <Page title={directory} bar={<Tabs label={directory} tabs={tabs} current={addressOf(order, local)} />}>
      <div class="list-intro">
        <Choice label={t.only_local} checked={local} onChange={(checked) => route(addressOf(order, checked), true)} />
      </div>
      <PagedListView
        source={sourceOf(order, local)}
        label={directory}
        empty={t.no_directory}
        render={(account) => <AccountRow account={account} showsNote />}
      />
    </Page>
  )
}
