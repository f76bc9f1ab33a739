// The field of the search with its suggestions. Arrow keys choose one, Enter takes it or searches, Escape closes them.
import Combobox from '@github/combobox-nav'
import { Search, X } from 'lucide'
import type { RefObject } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { accountPath } from '../ui/account-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { putText } from '../ui/field-text.ts'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { tagPath } from '../ui/tag-path.ts'
import { replaceToken, tokenAt } from './operators.ts'
import { SearchOption } from './search-option.tsx'
import type { SearchSuggestion } from './suggest.ts'
import { useSearchSuggestions } from './use-search-suggestions.ts'

type SearchFieldProps = {
  text: string
  onText: (text: string) => void
  onSearch: (query: string) => void
  input: RefObject<HTMLInputElement | null>
}

export function SearchField({ text, onText, onSearch, input }: SearchFieldProps) {
  const { route } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  const [isTyping, setTyping] = useState(false)
  const suggestions = useSearchSuggestions(isTyping ? text : '', input)
  const isOpen = isTyping && suggestions.length > 0
  const take = (suggestion: SearchSuggestion) => {
    if (suggestion.kind === 'text' || suggestion.kind === 'author') return insert(suggestion.text, input, onText)
    setTyping(false)
    if (suggestion.kind === 'account') route(accountPath(suggestion.account))
    else if (suggestion.kind === 'tag') route(tagPath(suggestion.name))
    else onSearch(suggestion.query)
  }
  useCombobox({ input, list, isOpen, suggestions, take, close: () => setTyping(false) })
  return (
    <Form
      role="search"
      class="search-form"
      onSubmit={() => {
        setTyping(false)
        onSearch(text.trim())
      }}
    >
      <Icon icon={Search} />
      <input
        ref={input}
        type="text"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        dir="auto"
        maxLength={500}
        aria-label={texts.search.field}
        placeholder={texts.search.field}
        value={text}
        onInput={({ currentTarget }) => {
          setTyping(true)
          onText(currentTarget.value)
        }}
      />
      {text !== '' && (
        <IconButton
          icon={X}
          label={texts.search.clear}
          onClick={() => {
            onText('')
            input.current?.focus()
          }}
        />
      )}
      <SuggestionList list={list} suggestions={suggestions} isOpen={isOpen} />
    </Form>
  )
}

/** Replaces the word at the caret. */
function insert(text: string, input: SearchFieldProps['input'], onText: SearchFieldProps['onText']): void {
  const { current } = input
  if (!current) return
  const replaced = replaceToken(
    current.value,
    tokenAt(current.value, current.selectionEnd ?? current.value.length),
    text,
  )
  putText(current, replaced.query, replaced.caret)
  onText(replaced.query)
}

type SuggestionListProps = {
  list: RefObject<HTMLUListElement | null>
  suggestions: readonly SearchSuggestion[]
  isOpen: boolean
}

function SuggestionList({ list, suggestions, isOpen }: SuggestionListProps) {
  const id = useId()
  return (
    <>
      <ul ref={list} id={`search${id}`} role="listbox" aria-label={texts.search.suggestions} hidden={!isOpen}>
        {suggestions.map((each, index) => (
          <li key={each.key} id={`${id}-${index}`} role="option" data-index={index}>
            <SearchOption suggestion={each} />
          </li>
        ))}
      </ul>
      <span class="visually-hidden" role="status">
        {isOpen && texts.search.suggestions_count({ count: suggestions.length })}
      </span>
    </>
  )
}

type Combined = {
  input: RefObject<HTMLInputElement | null>
  list: RefObject<HTMLUListElement | null>
  isOpen: boolean
  suggestions: readonly SearchSuggestion[]
  take: (suggestion: SearchSuggestion) => void
  close: () => void
}

function useCombobox(current: Combined): void {
  const { input, list, isOpen, suggestions } = current
  const latest = useRef(current)
  latest.current = current
  const combobox = useRef<Combobox | null>(null)
  useEffect(() => {
    if (!input.current || !list.current) return
    const field = input.current
    const options = list.current
    const created = new Combobox(field, options, { tabInsertsSuggestions: false })
    combobox.current = created
    const stop = listen(field, options, latest)
    return () => {
      stop()
      created.destroy()
      combobox.current = null
    }
  }, [])
  useEffect(() => {
    if (!isOpen) return
    combobox.current?.start()
    return () => combobox.current?.stop()
  }, [isOpen])
  useEffect(() => {
    // Suggestions that arrive later leave the chosen one as it is, unless it has gone.
    if (!list.current?.querySelector('[aria-selected=true]')) combobox.current?.clearSelection()
  }, [suggestions])
}

function listen(field: HTMLInputElement, options: HTMLElement, latest: RefObject<Combined | null>): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const commit = ({ target }: Event) => {
    const chosen = latest.current?.suggestions[Number((target as HTMLElement).dataset['index'])]
    if (chosen) latest.current?.take(chosen)
  }
  options.addEventListener('combobox-commit', commit, { signal })
  // Pressing a suggestion would take the focus from the field.
  options.addEventListener('mousedown', (event) => event.preventDefault(), { signal })
  field.addEventListener('blur', () => latest.current?.close(), { signal })
  field.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      // Without suggestions, keys go on with what was found.
      if (latest.current?.isOpen) latest.current.close()
      else field.blur()
    },
    { signal },
  )
  return () => controller.abort()
}
