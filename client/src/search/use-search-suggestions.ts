import type { RefObject } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { afterPause } from '../ui/after-pause.ts'
import { tokenAt } from './operators.ts'
import { recentSearches } from './recent.ts'
import { suggestAtOnce, suggestFound, type SearchSuggestion } from './suggest.ts'

/** Milliseconds after the last key. */
const DELAY = 200

/** Operators and recent searches at once; accounts and hashtags when the server has found them. */
export function useSearchSuggestions(text: string, input: RefObject<HTMLInputElement | null>): SearchSuggestion[] {
  const [found, setFound] = useState<SearchSuggestion[]>([])
  const recent = recentSearches.value
  const token = tokenAt(text, input.current?.selectionEnd ?? text.length)
  useEffect(
    () =>
      afterPause(DELAY, async (signal) => {
        const suggestions = await suggestFound(text, token, signal).catch(() => [])
        if (!signal.aborted) setFound(suggestions)
      }),
    [text],
  )
  return useMemo(() => {
    const atOnce = suggestAtOnce(text, token, recent)
    return text.trim() === '' ? [] : [...atOnce, ...found]
  }, [text, token.text, recent, found])
}
