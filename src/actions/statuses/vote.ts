import type { Context } from '../../context.ts'
import { invalidField, invalidRequest, NotFound } from '../../lib/errors.ts'
import type { PollRow } from '../../domain/statuses/polls/polls.ts'
import {
  findPollToVoteIn,
  findVotes,
  hasEnded,
  lockPoll,
  storeVotes,
  type LockedPoll,
} from '../../domain/statuses/polls/votes.ts'
import { federate } from '../federate.ts'

/** So long after a vote other servers are told how a poll stands, with all votes that came meanwhile: seconds. */
const TELL_AFTER = 60

/**
 * Votes in a poll that the voter may see, for the options with these indices. In a multiple-choice poll later votes add further
 * options. A remote poll's server receives one Note per option. Throws Invalid for own and expired polls, for options that do not
 * exist, and for a vote that repeats an option or would be a second one in a single-choice poll.
 */
export async function vote(ctx: Context, accountId: string, poll: PollRow, choices: readonly number[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const held = await lockPoll(tx, poll.id)
    if (!held) throw new NotFound()
    if (poll.account_id === accountId) throw invalidRequest('poll_own')
    if (hasEnded(held)) throw invalidRequest('poll_ended')
    if (choices.length === 0) throw invalidField('choices', 'blank')
    if (choices.some((choice) => choice < 0 || choice >= held.options.length))
      throw invalidRequest('poll_no_such_option')
    const wanted = [...new Set(choices)]
    const before = await findVotes(tx, held.id, accountId)
    // A single-choice poll takes the first choice, and refuses the next one as Mastodon does.
    const isRepeated = held.multiple
      ? wanted.some((choice) => before.includes(choice))
      : before.length + wanted.length > 1
    if (isRepeated) throw invalidRequest('poll_voted')
    const voteIds = await storeVotes(tx, held.id, accountId, wanted, before.length === 0)
    if (poll.domain !== null) {
      await federate(tx, { activity: 'vote', accountId, voteIds })
      if (held.expires_at !== null) await tx.enqueue('polls.close', { pollId: held.id }, { at: held.expires_at })
    } else await tellLater(tx, held)
  })
}

/**
 * Stores a vote of a remote account in a local poll. Each option comes as a Note of its own. Invalid and repeated votes are
 * ignored: the protocol has no answer to them.
 */
export async function receiveVote(ctx: Context, accountId: string, statusId: string, option: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const pollId = await findPollToVoteIn(tx, statusId, accountId)
    const held = pollId === null ? null : await lockPoll(tx, pollId)
    const choice = held?.options.indexOf(option) ?? -1
    if (!held || choice < 0 || hasEnded(held)) return
    const before = await findVotes(tx, held.id, accountId)
    if (before.length > 0 && !held.multiple) return
    const stored = await storeVotes(tx, held.id, accountId, [choice], before.length === 0)
    if (stored.length > 0) await tellLater(tx, held)
  })
}

/** Hidden results are told at the end only. */
async function tellLater(tx: Context, poll: LockedPoll): Promise<void> {
  if (!poll.hide_totals) await tx.enqueue('polls.tell', { pollId: poll.id }, { delay: TELL_AFTER, key: poll.id })
}
