// Who boosted and favourited a status, and which statuses quote it.
import { AccountRow } from '../accounts/account-row.tsx'
import { accountSource } from '../accounts/account-source.ts'
import { PagedListView } from '../ui/paged-list.tsx'
import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { TimelineView } from '../timelines/timeline-view.tsx'
import { Page } from '../ui/page.tsx'

type Kind = 'reblogged_by' | 'favourited_by'

const sourceOf = (id: string, kind: Kind) =>
  accountSource(`${kind} ${id}`, (query) =>
    readPage(api.GET(`/api/v1/statuses/{id}/${kind}`, { params: { path: { id }, query } })),
  )

export function AccountsScreen({ id, kind }: { id: string; kind: Kind }) {
  const t = texts.statuses
  const title = kind === 'reblogged_by' ? t.boosted_by_title : t.favourited_by_title
  return (
    <Page title={title}>
      <PagedListView
        key={kind}
        source={sourceOf(id, kind)}
        label={title}
        empty={kind === 'reblogged_by' ? t.no_boosts : t.no_favourites}
        render={(account) => <AccountRow account={account} />}
      />
    </Page>
  )
}

export function QuotesScreen({ id }: { id: string }) {
  const source = {
    path: `quotes ${id}`,
    load: (query: Record<string, string | number>) =>
      readPage(api.GET('/api/v1/statuses/{id}/quotes', { params: { path: { id }, query } })),
  }
  return (
    <Page title={texts.statuses.quotes_title}>
      <TimelineView source={source} label={texts.statuses.quotes_title} empty={texts.statuses.no_quotes} />
    </Page>
  )
}
