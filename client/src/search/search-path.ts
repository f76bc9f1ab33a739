export type SearchType = 'accounts' | 'hashtags' | 'statuses' | 'collections'

/** `text`: the key of the tab's label. */
export const SEARCH_TYPES = [
  { type: 'accounts', text: 'people' },
  { type: 'hashtags', text: 'hashtags' },
  { type: 'statuses', text: 'posts' },
  { type: 'collections', text: 'collections' },
] as const satisfies { type: SearchType; text: string }[]

export const isSearchType = (text: string | undefined): text is SearchType =>
  SEARCH_TYPES.some(({ type }) => type === text)

export function searchPath(q: string, type: SearchType | null): string {
  const query = new URLSearchParams({ q, ...(type ? { type } : {}) })
  return `/search?${query.toString()}`
}
