// Finds completions of a half-typed mention, tag or emoji.
import type { Account, CustomEmoji } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import type { CompletionToken } from './completion.ts'
import {
  customEmojis,
  emojiMemory,
  emojiNames,
  inTone,
  loadCustomEmojis,
  unicodeGroups,
  type UnicodeEmoji,
} from './emoji-data.ts'

export type Suggestion = { key: string; text: string } & (
  | { kind: 'account'; account: Account }
  | { kind: 'tag'; name: string; uses: number }
  | { kind: 'custom'; emoji: CustomEmoji }
  | { kind: 'emoji'; unicode: string; label: string }
)

const LIMIT = 8

export function suggest({ kind, query }: CompletionToken, signal: AbortSignal): Promise<Suggestion[]> {
  if (kind === 'account') return suggestAccounts(query, signal)
  return kind === 'tag' ? suggestTags(query, signal) : suggestEmojis(query)
}

async function suggestAccounts(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const query = { q, limit: LIMIT, resolve: false }
  const accounts = await read(api.GET('/api/v1/accounts/search', { params: { query }, signal }))
  return accounts.map((account) => ({ kind: 'account', key: account.id, text: `@${account.acct}`, account }))
}

async function suggestTags(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const query = { q, type: 'hashtags', limit: LIMIT }
  const { hashtags } = await read(api.GET('/api/v2/search', { params: { query }, signal }))
  return hashtags.map(({ name, history }) => ({
    kind: 'tag',
    key: name,
    text: `#${name}`,
    name,
    uses: history.reduce((sum, { uses }) => sum + Number(uses), 0),
  }))
}

async function suggestEmojis(query: string): Promise<Suggestion[]> {
  const wanted = query.toLowerCase()
  const [groups, names] = await Promise.all([unicodeGroups(), emojiNames(), loadCustomEmojis()])
  const custom = customEmojis.value
    .map((emoji) => ({ emoji, rank: rankOf(wanted, [emoji.shortcode.toLowerCase()]) }))
    .filter(({ rank }) => rank > 0)
    .map(({ emoji, rank }): Ranked => ({
      rank: rank + 0.5,
      suggestion: { kind: 'custom', key: `:${emoji.shortcode}:`, text: `:${emoji.shortcode}:`, emoji },
    }))
  const unicode = groups.flatMap(({ emojis }) => emojis.flatMap((emoji) => ranked(emoji, names[emoji.hexcode], wanted)))
  return [...custom, ...unicode]
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, LIMIT)
    .map(({ suggestion }) => suggestion)
}

type Ranked = { rank: number; suggestion: Suggestion }

function ranked(emoji: UnicodeEmoji, names: string | string[] | undefined, wanted: string): Ranked[] {
  const own = [names ?? []].flat()
  const rank = rankOf(wanted, [...own, emoji.label.toLowerCase()]) || rankOf(wanted, emoji.tags ?? []) / 4
  if (rank === 0) return []
  const unicode = inTone(emoji, emojiMemory.value.tone)
  return [
    { rank, suggestion: { kind: 'emoji', key: emoji.hexcode, text: unicode, unicode, label: own[0] ?? emoji.label } },
  ]
}

/** 4 for the name itself, 2 for its beginning, 1 for a part of it, 0 for none. */
function rankOf(wanted: string, names: readonly string[]): number {
  if (names.includes(wanted)) return 4
  if (names.some((name) => name.startsWith(wanted))) return 2
  return names.some((name) => name.includes(wanted)) ? 1 : 0
}
