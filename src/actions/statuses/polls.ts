import type { Context } from '../../context.ts'
import { markPollFetched, type PollRow } from '../../domain/statuses/polls/polls.ts'
import {
  closeExpiredPoll,
  findExpiredPoll,
  findOpenPollStatus,
  findPollToVoteIn,
  findStalePoll,
  findVotes,
  hasEnded,
  lockPoll,
  storeVotes,
  type LockedPoll,
  type PolledStatus,
} from '../../domain/statuses/polls/votes.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { invalidField, invalidRequest, NotFound } from '../../lib/errors.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { refetchStatus } from '../remote/receive-status.ts'

/** Seconds from a vote until other servers receive the tally. */
const TALLY_DELAY = 60

/** Seconds until the tally of a remote poll is fetched again. */
const MAX_AGE = 60

/**
 * Later votes in a multiple-choice poll add further options. A remote poll's server receives one Note per option. The caller
 * checks that the voter may see the poll. Throws Invalid for own and expired polls, for options that do not exist, and for a
 * vote that repeats an option or would be a second one in a single-choice poll.
 */
export async function vote(ctx: Context, accountId: string, poll: PollRow, choices: readonly number[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const locked = await lockPoll(tx, poll.id)
    if (!locked) throw new NotFound()
    if (poll.account_id === accountId) throw invalidRequest('poll_own')
    if (hasEnded(locked)) throw invalidRequest('poll_ended')
    if (choices.length === 0) throw invalidField('choices', 'blank')
    if (choices.some((choice) => locked.options[choice] === undefined)) throw invalidRequest('poll_no_such_option')
    const wanted = [...new Set(choices)]
    const before = await findVotes(tx, locked.id, accountId)
    // A single-choice poll takes the first choice, and refuses the next one as Mastodon does.
    const isRepeated = locked.multiple
      ? wanted.some((choice) => before.includes(choice))
      : before.length + wanted.length > 1
    if (isRepeated) throw invalidRequest('poll_voted')
    const voteIds = await storeVotes(tx, locked.id, { accountId, choices: wanted, isNewVoter: before.length === 0 })
    if (poll.domain === null) return enqueueTally(tx, locked)
    await federate(tx, { activity: 'vote', accountId, voteIds })
    if (locked.expires_at !== null) await tx.enqueue('polls.close', { pollId: locked.id }, { at: locked.expires_at })
  })
}

/** Each option comes as a Note of its own. Ignores invalid and repeated votes: the protocol has no answer to them. */
export async function receiveVote(ctx: Context, accountId: string, statusId: string, option: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const pollId = await findPollToVoteIn(tx, statusId, accountId)
    const locked = pollId === null ? null : await lockPoll(tx, pollId)
    const choice = locked?.options.indexOf(option) ?? -1
    if (!locked || choice < 0 || hasEnded(locked)) return
    const before = await findVotes(tx, locked.id, accountId)
    if (before.length > 0 && !locked.multiple) return
    const stored = await storeVotes(tx, locked.id, { accountId, choices: [choice], isNewVoter: before.length === 0 })
    if (stored.length > 0) await enqueueTally(tx, locked)
  })
}

/** A poll that hides its totals sends them only at its end. */
async function enqueueTally(tx: Context, poll: LockedPoll): Promise<void> {
  if (!poll.hide_totals) await tx.enqueue('polls.tell', { pollId: poll.id }, { delay: TALLY_DELAY, key: poll.id })
}

/** Job `polls.tell`: sends the tally of a local poll to other servers. `closePoll` sends the last one. */
export async function sendTally(ctx: Context, { pollId }: JobData['polls.tell']): Promise<void> {
  const statusId = await findOpenPollStatus(ctx, pollId)
  if (statusId !== null) await federate(ctx, { activity: 'refresh', statusId })
}

/**
 * Job `polls.close`: notifies the author and local voters that a poll has ended, once, and shows its results. Fetches the results
 * of a remote poll first. Ignores a poll whose end was moved.
 */
export async function closePoll(ctx: Context, { pollId }: JobData['polls.close']): Promise<void> {
  const poll = await findExpiredPoll(ctx, pollId)
  if (!poll) return
  if (!poll.local) await fetchTally(ctx, poll)
  await ctx.transaction(async (tx) => {
    if (!(await closeExpiredPoll(tx, pollId))) return
    const event = { type: 'poll', fromAccountId: poll.account_id, statusId: poll.status_id } as const
    await notify(tx, { ...event, to: 'voters' })
    await notify(tx, { ...event, to: 'author' })
    tx.publish({ type: 'status.edited', id: poll.status_id })
    if (poll.local) await federate(tx, { activity: 'refresh', statusId: poll.status_id })
  })
}

/** Job `polls.refresh`. Does nothing when another job just fetched the tally. */
export async function refreshPoll(ctx: Context, { pollId }: JobData['polls.refresh']): Promise<void> {
  const poll = await findStalePoll(ctx, pollId, MAX_AGE)
  if (poll) await fetchTally(ctx, poll)
}

async function fetchTally(
  ctx: Context,
  { status_id: statusId, account_id: authorId, uri }: PolledStatus,
): Promise<void> {
  // Recorded first: a failure is not retried at once.
  await markPollFetched(ctx, statusId)
  try {
    await refetchStatus(ctx, { statusId, authorId, uri: uri ?? '' })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, uri }, 'poll.fetch-failed')
  }
}

/** Does nothing when the tally was fetched within MAX_AGE, or after the poll's end. */
export async function refreshPollIfStale(
  ctx: Context,
  poll: Pick<PollRow, 'id' | 'domain' | 'expires_at' | 'fetched_at'>,
): Promise<void> {
  const [fetched, end] = [poll.fetched_at?.getTime() ?? 0, poll.expires_at?.getTime() ?? Infinity]
  if (poll.domain === null || fetched > end || Date.now() - fetched < MAX_AGE * 1000) return
  await ctx.enqueue('polls.refresh', { pollId: poll.id }, { key: poll.id })
}
