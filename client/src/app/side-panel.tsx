// What stands beside the screen: search, trends, suggestions of accounts, and links to the pages of the server.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { FollowButton } from '../accounts/follow-button.tsx'
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { TagList } from '../explore/tag-list.tsx'
import { loadRecentSearches, rememberSearch } from '../search/recent.ts'
import { SearchField } from '../search/search-field.tsx'
import { searchPath } from '../search/search-path.ts'
import { storeAccount } from '../state/accounts.ts'
import { useLoaded } from '../state/loaded.ts'
import { useInstance } from '../state/me.ts'
import { texts } from '../texts.ts'
import { AccountLine } from '../ui/account-line.tsx'
import { showShortcuts } from './shown-dialog.ts'
import '../search/search.css'
import './side-panel-content.css'

/** How many of each. */
const TAGS = 5
const ACCOUNTS = 3

/** Without what the screen of the address has itself. */
export function SidePanel() {
  const { path } = useLocation()
  const isExplore = path.startsWith('/explore')
  return (
    <>
      {path !== '/search' && <Search />}
      {!isExplore && <Trending />}
      {!isExplore && <Suggestions />}
      <Links />
    </>
  )
}

function Search() {
  const { route, url } = useLocation()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // What was looked for is found: keys act on the screen again.
  useEffect(() => {
    setText('')
    input.current?.blur()
  }, [url])
  useEffect(() => void loadRecentSearches(), [])
  const search = (query: string) => {
    if (query === '') return
    void rememberSearch(query)
    route(searchPath(query, null))
  }
  return <SearchField text={text} onText={setText} onSearch={search} input={input} />
}

/** Nothing while nothing is trending: most of all on small servers. */
function Trending() {
  const { value: tags = [] } = useLoaded(
    () => read(api.GET('/api/v1/trends/tags', { params: { query: { limit: TAGS } } })),
    [],
  )
  if (tags.length === 0) return null
  return (
    <section class="side-section">
      <h2>
        <a href="/explore/tags">{texts.explore.trending_tags}</a>
      </h2>
      <TagList tags={tags} />
    </section>
  )
}

async function loadSuggested(): Promise<Account[]> {
  const suggestions = await read(api.GET('/api/v2/suggestions', { params: { query: { limit: ACCOUNTS } } }))
  for (const { account } of suggestions) storeAccount(account)
  return suggestions.map(({ account }) => account)
}

function Suggestions() {
  const { value: accounts = [] } = useLoaded(loadSuggested, [])
  if (accounts.length === 0) return null
  return (
    <section class="side-section">
      <h2>
        <a href="/explore/people">{texts.explore.suggested}</a>
      </h2>
      {accounts.map((account) => (
        <AccountLine key={account.id} account={account}>
          <FollowButton account={account} />
        </AccountLine>
      ))}
    </section>
  )
}

function Links() {
  const { configuration, source_url: source } = useInstance()
  const { privacy_policy: privacy, terms_of_service: terms } = configuration.urls
  const t = texts.frame
  return (
    <ul class="side-links">
      <li>
        <a href="/about">{t.about}</a>
      </li>
      {privacy && (
        <li>
          <a href={privacy}>{t.privacy_policy}</a>
        </li>
      )}
      {terms && (
        <li>
          <a href={terms}>{t.terms}</a>
        </li>
      )}
      <li>
        <button type="button" onClick={showShortcuts}>
          {texts.appearance.shortcuts_title}
        </button>
      </li>
      <li>
        <a href={source} target="_blank" rel="noopener noreferrer">
          {t.source}
        </a>
      </li>
    </ul>
  )
}
