import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { SUGGESTION_SOURCES, type SuggestionSource, type SuggestionRow } from '../domain/relationships/suggestions.ts'
import { jsonArray, jsonObject, type JsonText } from '../lib/json.ts'
import { Account } from './account.ts'
import { presentAccountMap } from './account-presenter.ts'

/** https://docs.joinmastodon.org/entities/Suggestion/ */
export const Suggestion = Type.Object(
  {
    source: Type.Enum(['staff', 'past_interactions', 'global']),
    sources: Type.Array(Type.Enum([...SUGGESTION_SOURCES])),
    account: Account,
  },
  { $id: 'Suggestion' },
)
export type Suggestion = Static<typeof Suggestion>

/** What older clients call the reasons. */
const OLD_NAMES: Record<SuggestionSource, Suggestion['source']> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  similar_to_recently_followed: 'past_interactions',
  most_followed: 'global',
}

/** Presents suggestions in their order. */
export async function presentSuggestions(
  ctx: Context,
  rows: readonly SuggestionRow[],
): Promise<JsonText<Suggestion[]>> {
  const accounts = await presentAccountMap(
    ctx,
    rows.map(({ account_id }) => account_id),
  )
  return jsonArray(
    rows.flatMap(({ account_id, sources }) => {
      const account = accounts.get(account_id)
      const [strongest] = sources
      if (!account || !strongest) return []
      return [jsonObject<Suggestion>({ source: OLD_NAMES[strongest], sources, account })]
    }),
  )
}
