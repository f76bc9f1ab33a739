// The viewer's collections, and those of others that feature the viewer.
import { Plus } from 'lucide'
import { PagedListView, type PagedSource } from '../ui/paged-list.tsx'
import { api, read } from '../api/client.ts'
import type { Collection } from '../api/entities.ts'
import { renderCollection } from '../search/result-rows.tsx'
import { useLoaded } from '../state/loaded.ts'
import { useMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import './lists.css'

const LIMIT = 40

const featuring = (accountId: string): PagedSource<Collection> => ({
  key: `collections featuring ${accountId}`,
  keyOf: ({ id }) => id,
  async load({ offset = '0' }) {
    const params = { path: { account_id: accountId }, query: { limit: LIMIT, offset: Number(offset) } }
    const { collections } = await read(api.GET('/api/v1/accounts/{account_id}/in_collections', { params }))
    const next = collections.length < LIMIT ? null : { offset: String(Number(offset) + collections.length) }
    return { items: collections, next }
  },
})

export function CollectionsScreen() {
  const { id } = useMe()
  const t = texts.lists
  const create = (
    <a class="button quiet" href="/collections/new">
      <Icon icon={Plus} size={18} />
      {t.new_collection}
    </a>
  )
  return (
    <Page title={t.collections} actions={create}>
      <h2 class="section-title">{t.own_collections}</h2>
      <OwnCollections accountId={id} />
      <h2 class="section-title">{t.featured_on}</h2>
      <PagedListView
        source={featuring(id)}
        label={t.featured_on}
        empty={t.featured_on_empty}
        render={renderCollection}
      />
    </Page>
  )
}

/** Every page: the role limits their number. */
async function loadOwn(accountId: string): Promise<Collection[]> {
  const own: Collection[] = []
  for (;;) {
    const params = { path: { account_id: accountId }, query: { limit: LIMIT, offset: own.length } }
    const { collections } = await read(api.GET('/api/v1/accounts/{account_id}/collections', { params }))
    own.push(...collections)
    if (collections.length < LIMIT) return own
  }
}

function OwnCollections({ accountId }: { accountId: string }) {
  const own = useLoaded(() => loadOwn(accountId), [accountId])
  if (!own.value) return <LoadingOrFailed loaded={own} />
  if (own.value.length === 0) return <Empty>{texts.lists.own_collections_empty}</Empty>
  return (
    <ul class="rows">
      {own.value.map((collection) => (
        <li key={collection.id}>{renderCollection(collection)}</li>
      ))}
    </ul>
  )
}
