// Finds commands by a few letters.
import type { Command } from './commands.ts'

/** Case and accents do not matter. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Commands with all words: first those whose label begins with the query, then those in whose label each word begins a word. */
export function filterCommands(commands: readonly Command[], typed: string): Command[] {
  const query = plain(typed).trim()
  const words = query.split(/\s+/)
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(command, query, words)
    return rank === null ? [] : { command, rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ command }) => command)
}

function rankOf({ id, label, hint = '' }: Command, query: string, words: readonly string[]): number | null {
  const name = plain(label)
  if (name.startsWith(query)) return 0
  const starts = name.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => starts.some((start) => start.startsWith(word)))) return 1
  const all = plain(`${name} ${hint} ${id}`)
  return words.every((word) => all.includes(word)) ? 2 : null
}
