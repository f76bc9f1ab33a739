// Before the first search: recent ones, and how to search precisely.
import { History, X } from 'lucide'
import { fill, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { OPERATORS } from './operators.ts'
import { clearRecentSearches, recentSearches, removeRecentSearch } from './recent.ts'

type StartProps = { search: (query: string) => void; insert: (operator: string) => void }

export function SearchStart({ search, insert }: StartProps) {
  const t = texts.search
  return (
    <>
      <RecentSearches search={search} />
      <section class="search-help">
        <h2>{t.precise}</h2>
        <p>{fill(t.precise_hint, { example: <code dir="ltr">-has:media</code> })}</p>
        <ul>
          {OPERATORS.map((operator) => (
            <li key={operator}>
              <button type="button" onClick={() => insert(`${operator}:`)}>
                <code dir="ltr">{operator}:</code>
                <span>{t[`operator_${operator}`]}</span>
              </button>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => insert(t.phrase_example)}>
              <code>{t.phrase_example}</code>
              <span>{t.operator_phrase}</span>
            </button>
          </li>
        </ul>
        <p>
          <small>{t.posts_found}</small>
        </p>
      </section>
    </>
  )
}

function RecentSearches({ search }: Pick<StartProps, 'search'>) {
  const t = texts.search
  const recent = recentSearches.value
  if (recent.length === 0) return null
  return (
    <section class="recent-searches">
      <header>
        <h2>{t.recent}</h2>
        <Button kind="quiet" onClick={clearRecentSearches}>
          {t.clear_recent}
        </Button>
      </header>
      <ul>
        {recent.map((query) => (
          <li key={query}>
            <button type="button" class="recent-search" onClick={() => search(query)}>
              <Icon icon={History} />
              <bdi>{query}</bdi>
            </button>
            <IconButton icon={X} label={t.remove_recent({ query })} onClick={() => removeRecentSearch(query)} />
          </li>
        ))}
      </ul>
      <small>{t.recent_hint}</small>
    </section>
  )
}
