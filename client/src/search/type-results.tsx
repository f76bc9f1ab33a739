// All results of one kind, page by page.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { PagedListView, pagedListOf, type PagedSource } from '../ui/paged-list.tsx'
import { api, read } from '../api/client.ts'
import type { Account, Collection, Status, Tag } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { isHandle } from './address.ts'
import type { OnFound } from './all-results.tsx'
import { renderAccount, renderCollection, renderStatus, renderTag } from './result-rows.tsx'
import type { SearchType } from './search-path.ts'

const LIMIT = 20

type Found = { accounts: Account; hashtags: Tag; statuses: Status; collections: Collection }

function sourceOf<T extends SearchType>(q: string, type: T, store: (item: Found[T]) => void): PagedSource<Found[T]> {
  return {
    key: `search ${type} ${q}`,
    keyOf: ({ id }) => id,
    async load({ offset = '0' }) {
      const query = { q, type, resolve: isHandle(q), limit: LIMIT, offset: Number(offset) }
      const found = await read(api.GET('/api/v2/search', { params: { query } }))
      const items = found[type] as Found[T][]
      for (const item of items) store(item)
      return { items, next: items.length < LIMIT ? null : { offset: String(Number(offset) + items.length) } }
    },
  }
}

const storeNothing = () => {}

export function TypeResults({ q, type, onFound }: { q: string; type: SearchType; onFound: OnFound }) {
  const t = texts.search
  const shared = { q, onFound }
  switch (type) {
    case 'accounts':
      return <Results {...shared} source={sourceOf(q, type, storeAccount)} label={t.people} render={renderAccount} />
    case 'hashtags':
      return <Results {...shared} source={sourceOf(q, type, storeNothing)} label={t.hashtags} render={renderTag} />
    case 'statuses':
      return <Results {...shared} source={sourceOf(q, type, storeStatus)} label={t.posts} render={renderStatus} />
    case 'collections':
      return (
        <Results {...shared} source={sourceOf(q, type, storeNothing)} label={t.collections} render={renderCollection} />
      )
  }
}

type ResultsProps<T> = {
  q: string
  source: PagedSource<T>
  label: string
  render: (item: T) => ComponentChildren
  onFound: OnFound
}

function Results<T>({ q, source, label, render, onFound }: ResultsProps<T>) {
  const { items, state } = pagedListOf(source)
  const isLoading = items.value.length === 0 && state.value !== 'ready'
  // Further pages come as the reader goes on, and are not announced.
  useEffect(() => onFound(isLoading ? null : items.value.length), [isLoading])
  return <PagedListView source={source} label={label} empty={texts.search.nothing({ query: q })} render={render} />
}
