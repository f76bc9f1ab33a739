import Type, { type Static } from 'typebox'
import { QUOTE_POLICIES } from '../../domain/statuses/quotes/policy.ts'

/** A poll, as it is sent with a status. Its rules are in domain/statuses/poll-rules.ts. */
export const PollParams = Type.Object({
  options: Type.Optional(Type.Array(Type.String())),
  expires_in: Type.Optional(Type.Integer()),
  multiple: Type.Optional(Type.Boolean()),
  hide_totals: Type.Optional(Type.Boolean()),
})

/** Whether anything is said about a poll: some applications send an empty one for none. */
export function isPoll<P extends Static<typeof PollParams>>(poll: P | null | undefined): poll is P {
  return Object.keys(poll ?? {}).length > 0
}

/** Who may quote a status. */
export const QuotePolicyParam = Type.Enum([...QUOTE_POLICIES])
