import Type, { type Static } from 'typebox'
import type { PollFacts } from '../domain/statuses/status-facts.ts'
import { CustomEmoji } from './emojis.ts'
import { DateTime, Id, nullable } from './schema.ts'

const Option = Type.Object({ title: Type.String(), votes_count: nullable(Type.Integer()) }, { $id: 'Poll_Option' })

/** https://docs.joinmastodon.org/entities/Poll/ */
export const Poll = Type.Object(
  {
    id: Id,
    expires_at: nullable(DateTime),
    expired: Type.Boolean(),
    multiple: Type.Boolean(),
    votes_count: Type.Integer(),
    voters_count: nullable(Type.Integer()),
    options: Type.Array(Option),
    emojis: Type.Array(CustomEmoji),
    voted: Type.Optional(Type.Boolean()),
    own_votes: Type.Optional(Type.Array(Type.Integer())),
  },
  { $id: 'Poll' },
)
export type Poll = Static<typeof Poll>

/** Members of a poll that change only with the row of its status. */
export type PollContent = Pick<Poll, 'id' | 'multiple' | 'emojis'> & { titles: string[] }

/** `viewer`: the viewer's votes, and whether the poll is the viewer's; null for anonymous viewers. */
export function presentPoll(
  { titles, ...content }: PollContent,
  facts: PollFacts,
  viewer: { ownVotes: readonly number[]; isAuthor: boolean } | null,
): Poll {
  const expiresAt = facts.expires_at === null ? null : new Date(facts.expires_at)
  const expired = expiresAt !== null && expiresAt.getTime() <= Date.now()
  const hidden = facts.hide_totals && !expired
  const votes = facts.tallies.reduce((sum, n) => sum + n, 0)
  return {
    ...content,
    expires_at: expiresAt?.toISOString() ?? null,
    expired,
    // Other servers send no tallies that are hidden, but the number of voters.
    votes_count: hidden && !content.multiple ? (facts.voters_count ?? votes) : votes,
    voters_count: facts.voters_count,
    options: titles.map((title, i) => ({ title, votes_count: hidden ? null : (facts.tallies[i] ?? 0) })),
    ...(viewer ? { voted: viewer.isAuthor || viewer.ownVotes.length > 0, own_votes: [...viewer.ownVotes] } : {}),
  }
}
