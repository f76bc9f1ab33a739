// The first results of each kind.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { storeAccount } from '../state/accounts.ts'
import { useCached } from '../state/cached.ts'
import { storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { isHandle } from './address.ts'
import { renderAccount, renderCollection, renderStatus, renderTag } from './result-rows.tsx'
import { searchPath, type SearchType } from './search-path.ts'

/** Receives how many results are shown; null until they are. */
export type OnFound = (count: number | null) => void

/** Results of each kind. */
const LIMIT = 5

async function searchAll(q: string) {
  const query = { q, resolve: isHandle(q), limit: LIMIT }
  const found = await read(api.GET('/api/v2/search', { params: { query } }))
  for (const account of found.accounts) storeAccount(account)
  for (const status of found.statuses) storeStatus(status)
  return found
}

export function AllResults({ q, onFound }: { q: string; onFound: OnFound }) {
  const found = useCached(`search ${q}`, () => searchAll(q))
  const count = found.value ? Object.values(found.value).reduce((sum, { length }) => sum + length, 0) : null
  useEffect(() => onFound(count), [count])
  if (!found.value) return <LoadingOrFailed loaded={found} />
  const { accounts, hashtags, statuses, collections } = found.value
  if (count === 0) return <NothingFound q={q} />
  const t = texts.search
  return (
    <>
      <Section q={q} type="accounts" title={t.people} more={t.all_people} rows={accounts.map(renderAccount)} />
      <Section q={q} type="hashtags" title={t.hashtags} more={t.all_hashtags} rows={hashtags.map(renderTag)} />
      <Section
        q={q}
        type="collections"
        title={t.collections}
        more={t.all_collections}
        rows={collections.map(renderCollection)}
      />
      <Section q={q} type="statuses" title={t.posts} more={t.all_posts} rows={statuses.map(renderStatus)} />
    </>
  )
}

type SectionProps = { q: string; type: SearchType; title: string; more: string; rows: ComponentChildren[] }

function Section({ q, type, title, more, rows }: SectionProps) {
  if (rows.length === 0) return null
  return (
    <section class="result-section" aria-label={title}>
      <h2>{title}</h2>
      {rows.map((row, index) => (
        <div key={index}>{row}</div>
      ))}
      {rows.length === LIMIT && (
        <a class="more-results" href={searchPath(q, type)}>
          {more}
        </a>
      )}
    </section>
  )
}

function NothingFound({ q }: { q: string }) {
  return (
    <>
      <Empty>{texts.search.nothing({ query: q })}</Empty>
      <p class="search-note">{texts.search.posts_found}</p>
    </>
  )
}
