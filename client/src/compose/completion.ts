// What is being typed at the caret: a mention, a tag or the name of an emoji.

export type CompletionKind = 'account' | 'tag' | 'emoji'
export type CompletionToken = { kind: CompletionKind; query: string; start: number; end: number }

const KINDS: Record<string, CompletionKind> = { '@': 'account', '＠': 'account', '#': 'tag', '＃': 'tag', ':': 'emoji' }
const TOKEN =
  /(?<![\p{L}\p{N}_/:])(?:([@＠])([\p{L}\p{M}\p{N}_.~+-]+(?:@[\p{L}\p{N}.-]*)?)|([#＃])([\p{L}\p{M}\p{N}_·]+)|(:)([\p{L}\p{N}_+-]{2,}))$/u

/** Null when there is nothing to complete. */
export function tokenAt(text: string, caret: number): CompletionToken | null {
  // Handles and names of emojis are short, and this runs at each key.
  const match = TOKEN.exec(text.slice(Math.max(0, caret - 120), caret))
  if (!match) return null
  const [whole, ...groups] = match
  const [mark = '', query = ''] = groups.filter((group) => group !== undefined)
  const kind = KINDS[mark]
  return kind ? { kind, query, start: caret - whole.length, end: caret } : null
}

/** The text with the token replaced, and where the caret goes. */
export function complete(
  text: string,
  { start, end }: CompletionToken,
  replacement: string,
): { text: string; caret: number } {
  const rest = text.slice(end)
  const inserted = /^\s/.test(rest) ? replacement : `${replacement} `
  return { text: text.slice(0, start) + inserted + rest, caret: start + replacement.length + 1 }
}
