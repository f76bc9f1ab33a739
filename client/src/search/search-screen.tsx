// Search by words, operators, handles and addresses. The address of the screen has the query, so that it can be shared and gone back to.
import { useLocation, useRoute } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { colon, texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { PinScreen } from '../ui/pin-screen.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AddressResult } from './address-result.tsx'
import { isAddress } from './address.ts'
import { loadRecentSearches, rememberSearch } from './recent.ts'
import { AllResults } from './all-results.tsx'
import { isSearchType, SEARCH_TYPES, searchPath } from './search-path.ts'
import { SearchField } from './search-field.tsx'
import { SearchStart } from './search-start.tsx'
import { TypeResults } from './type-results.tsx'
import './search.css'

export function SearchScreen() {
  const { query } = useRoute()
  const { route } = useLocation()
  const q = (query['q'] ?? '').trim()
  const type = isSearchType(query['type']) ? query['type'] : null
  const [text, setText] = useState(q)
  const [found, setFound] = useState<number | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setText(q), [q])
  useEffect(() => {
    void loadRecentSearches()
    if (q === '') input.current?.focus()
  }, [])
  const search = (wanted: string) => {
    if (wanted === '') return
    setText(wanted)
    void rememberSearch(wanted)
    route(searchPath(wanted, type))
  }
  const insert = (operator: string) => {
    const before = text.trim()
    setText(before ? `${before} ${operator}` : operator)
    input.current?.focus()
    // The suggestions open as if it had been typed.
    setTimeout(() => input.current?.dispatchEvent(new InputEvent('input', { bubbles: true })))
  }
  const t = texts.search
  const tabs = [
    { href: searchPath(q, null), label: t.all },
    ...SEARCH_TYPES.map(({ type: each, text: key }) => ({ href: searchPath(q, each), label: t[key] })),
  ]
  const isWords = q !== '' && !isAddress(q)
  return (
    <Page
      title={q ? `${texts.frame.search}${colon}${q}` : texts.frame.search}
      isTop={q === ''}
      actions={isWords && <PinScreen path={searchPath(q, type)} title={q} />}
    >
      <SearchField text={text} onText={setText} onSearch={search} input={input} />
      {isWords && (
        <div class="page-bar search-tabs">
          <Tabs label={t.tabs} tabs={tabs} current={searchPath(q, type)} />
        </div>
      )}
      <span class="visually-hidden" role="status">
        {isWords && announcement(q, found)}
      </span>
      {q === '' ? (
        <SearchStart search={search} insert={insert} />
      ) : isAddress(q) ? (
        <AddressResult key={q} address={q} />
      ) : type ? (
        <TypeResults key={`${type} ${q}`} q={q} type={type} onFound={setFound} />
      ) : (
        <AllResults key={q} q={q} onFound={setFound} />
      )}
    </Page>
  )
}

/** Null while the results are being loaded. */
function announcement(query: string, count: number | null): string {
  if (count === null) return ''
  return count === 0 ? texts.search.nothing({ query }) : texts.search.results_shown({ count })
}
