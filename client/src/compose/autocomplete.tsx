// Suggestions below the caret. The focus stays in the text: arrow keys choose, Enter or Tab takes, Escape closes.
import Combobox from '@github/combobox-nav'
import { computePosition, flip, offset, shift } from '@floating-ui/dom'
import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import caretPosition from 'textarea-caret'
import { shortNumber, texts } from '../texts.ts'
import { AccountNames, Avatar } from '../ui/account-line.tsx'
import { afterPause } from '../ui/after-pause.ts'
import { EmojiImage } from '../ui/emoji-text.tsx'
import { putText } from '../ui/field-text.ts'
import { complete, tokenAt, type CompletionToken } from './completion.ts'
import { suggest, type Suggestion } from './suggestions.ts'
import './autocomplete.css'

/** Milliseconds after the last key. */
const DELAY = 180

type AutocompleteProps = {
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
}

type Found = { token: CompletionToken; suggestions: Suggestion[] }

export function Autocomplete({ area, text, onText }: AutocompleteProps) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [found, setFound] = useState<Found | null>(null)
  useSuggestions(area, text, setFound)
  const take = (index: number) => {
    const suggestion = found?.suggestions[index]
    const { current } = area
    if (!found || !suggestion || !current) return
    const completed = complete(current.value, found.token, suggestion.text)
    putText(current, completed.text, completed.caret)
    setFound(null)
    onText(completed.text)
  }
  const takeLatest = useRef(take)
  takeLatest.current = take
  // Before the next key can arrive: Escape would close the dialog.
  useLayoutEffect(() => {
    if (!found || !area.current || !list.current) return
    return openList(area.current, list.current, found.token, {
      onTake: (index) => takeLatest.current(index),
      onClose: () => setFound(null),
    })
  }, [found])
  const t = texts.compose
  return (
    <>
      <ul
        ref={list}
        id={`suggestions${id}`}
        role="listbox"
        aria-label={t.suggestions}
        class="suggestions"
        popover="manual"
      >
        {found?.suggestions.map((each, index) => (
          <li key={each.key} id={`${id}-${index}`} role="option" data-index={index} class="suggestion">
            <SuggestionContent suggestion={each} />
          </li>
        ))}
      </ul>
      <span class="visually-hidden" role="status">
        {found ? t.suggestions_count({ count: found.suggestions.length }) : ''}
      </span>
    </>
  )
}

function useSuggestions(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setFound: (found: Found | null) => void,
): void {
  useEffect(() => {
    const { current } = area
    const token = current && document.activeElement === current ? tokenAt(text, current.selectionEnd) : null
    if (!token) return setFound(null)
    return afterPause(DELAY, (signal) => {
      suggest(token, signal).then(
        (suggestions) => {
          if (!signal.aborted) setFound(suggestions.length > 0 ? { token, suggestions } : null)
        },
        () => setFound(null),
      )
    })
  }, [text])
}

type ListHandlers = { onTake: (index: number) => void; onClose: () => void }

function openList(
  area: HTMLTextAreaElement,
  list: HTMLElement,
  token: CompletionToken,
  { onTake, onClose }: ListHandlers,
): () => void {
  // Above everything, also where a column would cut it off.
  list.showPopover()
  const combobox = new Combobox(area, list, { tabInsertsSuggestions: true, firstOptionSelectionMode: 'active' })
  combobox.start()
  // A text of several lines may not be a combobox; the active suggestion and the live region say the same.
  area.removeAttribute('role')
  area.removeAttribute('aria-expanded')
  const commit = ({ target }: Event) => onTake(Number((target as HTMLElement).dataset['index']))
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  const listening = new AbortController()
  list.addEventListener('combobox-commit', commit, listening)
  // Pressing a suggestion would take the focus from the text.
  list.addEventListener('mousedown', (event) => event.preventDefault(), listening)
  area.addEventListener('keydown', close, listening)
  area.addEventListener('blur', onClose, listening)
  placeAtCaret(area, list, token)
  return () => {
    combobox.destroy()
    if (list.matches(':popover-open')) list.hidePopover()
    listening.abort()
  }
}

function placeAtCaret(area: HTMLTextAreaElement, list: HTMLElement, token: CompletionToken): void {
  const caret = caretPosition(area, token.start)
  const at = {
    getBoundingClientRect: () => {
      const box = area.getBoundingClientRect()
      return new DOMRect(box.left + caret.left, box.top + caret.top - area.scrollTop, 1, caret.height)
    },
  }
  void computePosition(at, list, {
    strategy: 'fixed',
    placement: 'bottom-start',
    middleware: [offset(4), flip({ padding: 8 }), shift({ padding: 8 })],
  }).then(({ x, y }) => Object.assign(list.style, { left: `${x}px`, top: `${y}px` }))
}

function SuggestionContent({ suggestion }: { suggestion: Suggestion }) {
  if (suggestion.kind === 'account')
    return (
      <>
        <Avatar account={suggestion.account} size={32} />
        <AccountNames account={suggestion.account} />
      </>
    )
  if (suggestion.kind === 'tag')
    return (
      <>
        <bdi>#{suggestion.name}</bdi>
        {suggestion.uses > 0 && <small>{shortNumber(suggestion.uses)}</small>}
      </>
    )
  return (
    <>
      {suggestion.kind === 'custom' ? (
        <EmojiImage emoji={suggestion.emoji} />
      ) : (
        <span class="glyph">{suggestion.unicode}</span>
      )}
      <bdi>:{suggestion.kind === 'custom' ? suggestion.emoji.shortcode : suggestion.label}:</bdi>
    </>
  )
}
