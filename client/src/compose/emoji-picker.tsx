// Emojis by category, with search, the recently used ones and the choice of the skin tone. Arrow keys move in the grid.
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { EmojiImage } from '../ui/emoji-text.tsx'
import { Failed, Loading, Note } from '../ui/state-message.tsx'
import {
  changeEmojiMemory,
  customEmojis,
  emojiMemory,
  inTone,
  loadCustomEmojis,
  loadEmojiMemory,
  rememberEmoji,
  unicodeGroups,
  type EmojiGroup,
} from './emoji-data.ts'
import { searchCells, sectionsOf, type EmojiCell, type EmojiSection } from './emoji-sections.ts'

const TONES = ['👋', '👋🏻', '👋🏼', '👋🏽', '👋🏾', '👋🏿']

export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const t = texts.compose
  const [groups, setGroups] = useState<EmojiGroup[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const load = () => {
    setError(null)
    Promise.all([unicodeGroups(), loadCustomEmojis(), loadEmojiMemory()]).then(
      ([loaded]) => setGroups(loaded),
      setError,
    )
  }
  useEffect(load, [])
  if (error !== null) return <Failed error={error} retry={load} />
  if (!groups) return <Loading />
  const sections = sectionsOf(groups, customEmojis.value, emojiMemory.value)
  const section = sections[Math.min(chosen, sections.length - 1)]
  const cells = query.trim() ? searchCells(sections, query) : (section?.cells ?? [])
  const pick = (cell: EmojiCell) => {
    rememberEmoji(cell.text)
    onPick(cell.text)
  }
  return (
    <div class="emoji-picker">
      <div class="emoji-search">
        <input
          type="search"
          aria-label={t.search_emojis}
          placeholder={t.search_emojis}
          autofocus
          ref={(input) => void (input && !query && input.focus())}
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={(event) => {
            const first = cells[0]
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (first && query.trim()) pick(first)
          }}
        />
        <ToneSelect />
      </div>
      {!query.trim() && <CategoryTabs sections={sections} chosen={chosen} onChoose={setChosen} />}
      <EmojiGrid label={query.trim() ? t.search_emojis : (section?.name ?? '')} cells={cells} onPick={pick} />
    </div>
  )
}

function ToneSelect() {
  return (
    <select
      aria-label={texts.compose.skin_tone}
      value={emojiMemory.value.tone}
      onChange={({ currentTarget }) => changeEmojiMemory({ tone: Number(currentTarget.value) })}
    >
      {TONES.map((hand, tone) => (
        <option key={hand} value={tone}>
          {hand}
        </option>
      ))}
    </select>
  )
}

type CategoryTabsProps = { sections: EmojiSection[]; chosen: number; onChoose: (index: number) => void }

function CategoryTabs({ sections, chosen, onChoose }: CategoryTabsProps) {
  return (
    <div class="emoji-categories" role="group" aria-label={texts.compose.emoji_categories}>
      {sections.map(({ name, cells: [first] }, index) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          title={name}
          aria-pressed={index === chosen}
          onClick={() => onChoose(index)}
        >
          {first && <Glyph cell={first} />}
        </button>
      ))}
    </div>
  )
}

type EmojiGridProps = { label: string; cells: EmojiCell[]; onPick: (cell: EmojiCell) => void }

function EmojiGrid({ label, cells, onPick }: EmojiGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    setCurrent(0)
    grid.current?.scrollTo({ top: 0 })
  }, [label])
  if (cells.length === 0) return <Note>{texts.compose.no_emojis}</Note>
  const active = Math.min(current, cells.length - 1)
  return (
    <div
      ref={grid}
      class="emoji-grid"
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        const next = nextCell(event, grid.current, active)
        if (next === null) return
        event.preventDefault()
        setCurrent(next)
        ;(grid.current?.children[next] as HTMLElement | undefined)?.focus()
      }}
    >
      {cells.map((cell, index) => (
        <button
          key={cell.text}
          type="button"
          tabIndex={index === active ? 0 : -1}
          aria-label={cell.label}
          title={cell.label}
          onClick={() => onPick(cell)}
        >
          <Glyph cell={cell} />
        </button>
      ))}
    </div>
  )
}

function Glyph({ cell }: { cell: EmojiCell }) {
  if (cell.custom) return <EmojiImage emoji={cell.custom} />
  return <span aria-hidden="true">{inTone(cell.unicode, emojiMemory.value.tone)}</span>
}

/** Where an arrow key leads, or null. */
function nextCell({ key }: KeyboardEvent, grid: HTMLElement | null, active: number): number | null {
  const cells = [...(grid?.children ?? [])] as HTMLElement[]
  const top = cells[0]?.offsetTop
  const found = cells.findIndex(({ offsetTop }) => offsetTop !== top)
  const columns = found === -1 ? cells.length : found
  const forward = document.dir === 'rtl' ? -1 : 1
  const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns, ArrowUp: -columns }[key]
  if (key === 'Home') return 0
  if (key === 'End') return cells.length - 1
  return step === undefined ? null : Math.max(0, Math.min(cells.length - 1, active + step))
}
