// The sections of the emoji picker: recently used, the server's by category, those of Unicode.
import type { CustomEmoji } from '../api/entities.ts'
import { language, texts } from '../texts.ts'
import { inTone, type EmojiGroup, type UnicodeEmoji } from './emoji-data.ts'

export type EmojiCell = { text: string; label: string; words: string } & (
  | { custom: CustomEmoji; unicode?: undefined }
  | { unicode: UnicodeEmoji; custom?: undefined }
)
export type EmojiSection = { name: string; cells: EmojiCell[] }

const MAX_FOUND = 96

type Memory = { recent: readonly string[]; tone: number }

export function sectionsOf(
  groups: readonly EmojiGroup[],
  custom: readonly CustomEmoji[],
  memory: Memory,
): EmojiSection[] {
  const unicode = groups.map(({ name, emojis }) => ({
    name,
    cells: emojis.map((emoji): EmojiCell => ({
      text: inTone(emoji, memory.tone),
      label: emoji.label,
      words: [emoji.label, ...(emoji.tags ?? [])].join(' ').toLowerCase(),
      unicode: emoji,
    })),
  }))
  const sections = [...customSections(custom), ...unicode]
  const all = new Map(sections.flatMap(({ cells }) => cells.map((cell) => [cell.text, cell] as const)))
  const recent = memory.recent.flatMap((text) => all.get(text) ?? [])
  return recent.length > 0 ? [{ name: texts.compose.recent_emojis, cells: recent }, ...sections] : sections
}

/** Emojis without a category come first. */
function customSections(custom: readonly CustomEmoji[]): EmojiSection[] {
  const byCategory = Map.groupBy(custom.map(customCell), ({ custom: emoji }) => emoji?.category ?? '')
  return [...byCategory]
    .toSorted(([one], [other]) => one.localeCompare(other, language))
    .map(([name, cells]) => ({ name: name || texts.compose.custom_emojis, cells }))
}

const customCell = (emoji: CustomEmoji): EmojiCell => ({
  text: `:${emoji.shortcode}:`,
  label: emoji.shortcode,
  words: emoji.shortcode.toLowerCase(),
  custom: emoji,
})

/** Cells that have all words, those whose name begins with the first one first. */
export function searchCells(sections: readonly EmojiSection[], query: string): EmojiCell[] {
  const words = query.toLowerCase().trim().split(/\s+/)
  const all = new Map(sections.flatMap(({ cells }) => cells.map((cell) => [cell.text, cell] as const)))
  const found = [...all.values()].filter((cell) => words.every((word) => cell.words.includes(word)))
  const isFirst = ({ words: own }: EmojiCell) => (own.startsWith(words[0] ?? '') ? 0 : 1)
  return found.toSorted((a, b) => isFirst(a) - isFirst(b)).slice(0, MAX_FOUND)
}
