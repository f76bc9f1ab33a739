// What was searched for on this device, the newest first.
import { signal } from '@preact/signals'
import { readStored, writeStored } from '../state/storage.ts'

const NAME = 'recent searches'
const LIMIT = 12

export const recentSearches = signal<readonly string[]>([])

let loaded: Promise<void> | undefined

export function loadRecentSearches(): Promise<void> {
  loaded ??= readStored<string[]>(NAME).then((stored) => {
    recentSearches.value = [...new Set([...recentSearches.value, ...(stored ?? [])])].slice(0, LIMIT)
  })
  return loaded
}

export async function rememberSearch(query: string): Promise<void> {
  await loadRecentSearches()
  store([query, ...recentSearches.value.filter((each) => each !== query)].slice(0, LIMIT))
}

export const removeRecentSearch = (query: string): void => store(recentSearches.value.filter((each) => each !== query))
export const clearRecentSearches = (): void => store([])

function store(queries: readonly string[]): void {
  recentSearches.value = queries
  void writeStored(NAME, queries)
}
