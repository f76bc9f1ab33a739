// Suggestions for a half-typed search.
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { isAddress } from './address.ts'
import { suggestOperators, typedAuthor, type QueryToken } from './operators.ts'

export type SearchSuggestion = { key: string } & (
  | { kind: 'text'; text: string; hint: string }
  | { kind: 'author'; text: string; account: Account }
  | { kind: 'recent' | 'address'; query: string }
  | { kind: 'account'; account: Account }
  | { kind: 'tag'; name: string }
)

/** Suggestions of each kind. */
const LIMIT = 4

/** The suggestions that need no request. */
export function suggestAtOnce(query: string, token: QueryToken, recent: readonly string[]): SearchSuggestion[] {
  const typed = query.trim().toLowerCase()
  if (typed === '') return []
  if (isAddress(query)) return [{ kind: 'address', key: 'address', query: query.trim() }]
  const operators = suggestOperators(token).map(({ text, hint }) => ({ kind: 'text' as const, key: text, text, hint }))
  const earlier = recent
    .filter((each) => each.toLowerCase().startsWith(typed) && each.toLowerCase() !== typed)
    .slice(0, LIMIT)
    .map((each) => ({ kind: 'recent' as const, key: `recent ${each}`, query: each }))
  return [...operators, ...earlier]
}

export async function suggestFound(query: string, token: QueryToken, signal: AbortSignal): Promise<SearchSuggestion[]> {
  const author = typedAuthor(token)
  if (author !== null) return author.trim() === '' ? [] : suggestAuthors(author, token, signal)
  const q = query.trim()
  if (q === '' || isAddress(q) || token.text.includes(':')) return []
  const found = async (type: string) =>
    read(api.GET('/api/v2/search', { params: { query: { q, type, limit: LIMIT } }, signal }))
  const [{ accounts }, { hashtags }] = await Promise.all([found('accounts'), found('hashtags')])
  for (const each of accounts) storeAccount(each)
  return [
    ...accounts.map((account) => ({ kind: 'account' as const, key: `account ${account.id}`, account })),
    ...hashtags.map(({ name }) => ({ kind: 'tag' as const, key: `tag ${name}`, name })),
  ]
}

async function suggestAuthors(q: string, token: QueryToken, signal: AbortSignal): Promise<SearchSuggestion[]> {
  const accounts = await read(api.GET('/api/v1/accounts/search', { params: { query: { q, limit: 6 } }, signal }))
  const prefix = token.text.startsWith('-') ? '-from:' : 'from:'
  return accounts.map((account) => ({
    kind: 'author',
    key: `author ${account.id}`,
    text: `${prefix}@${account.acct}`,
    account,
  }))
}
