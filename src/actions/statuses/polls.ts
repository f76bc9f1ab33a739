import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { fetchNote, reviseNote } from '../remote/receive-status.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { findAccount } from '../../domain/accounts/find.ts'
import type { PollRow } from '../../domain/statuses/polls/polls.ts'
import {
  type LockedPoll,
  findPollToVoteIn,
  findVotes,
  hasEnded,
  lockPoll,
  storeVotes,
} from '../../domain/statuses/polls/votes.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { NotFound, invalidField, invalidRequest } from '../../lib/errors.ts'
import { FetchError } from '../../net/fetch-error.ts'

/** So long what is known of a remote poll is good enough for whoever looks at it: milliseconds. */
const FRESH = 60_000

type Ended = { status_id: string; account_id: string; uri: string | null; local: boolean }

/**
 * Job `polls.close`: tells the author and everybody of this server who voted that a poll has ended, once, and shows its results.
 * A poll that was given more time meanwhile is left alone. A remote one is asked for its results first.
 */
export async function closePoll(ctx: Context, { pollId }: JobData['polls.close']): Promise<void> {
  const over = await ctx.db.maybe<Ended>(sql`
    select p.status_id, s.account_id, s.uri, s.local from polls p join statuses s on s.id = p.status_id
    where p.id = ${pollId} and p.closed_at is null and p.expires_at <= now()`)
  if (!over) return
  if (!over.local) await askAgain(ctx, over)
  await ctx.transaction(async (tx) => {
    const closed = await tx.db.run(
      sql`update polls set closed_at = now() where id = ${pollId} and closed_at is null and expires_at <= now()`,
    )
    if (closed === 0) return
    const about = { type: 'poll', fromAccountId: over.account_id, statusId: over.status_id } as const
    await notify(tx, { ...about, to: 'voters' })
    await notify(tx, { ...about, to: 'author' })
    tx.publish({ type: 'status.edited', id: over.status_id })
    if (over.local) await federate(tx, { activity: 'refresh', statusId: over.status_id })
  })
}

/** Job `polls.tell`: other servers learn how a poll of this one stands. Its end is told by itself. */
export async function tellPoll(ctx: Context, { pollId }: JobData['polls.tell']): Promise<void> {
  const open = await ctx.db.maybe<{ status_id: string }>(
    sql`select status_id from polls where id = ${pollId} and closed_at is null`,
  )
  if (open) await federate(ctx, { activity: 'refresh', statusId: open.status_id })
}

/** Job `polls.refresh`: a remote poll is asked how it stands, unless somebody was faster. */
export async function refreshPoll(ctx: Context, { pollId }: JobData['polls.refresh']): Promise<void> {
  const poll = await ctx.db.maybe<Ended>(sql`
    select p.status_id, s.account_id, s.uri, s.local from polls p join statuses s on s.id = p.status_id
    where p.id = ${pollId} and not s.local and (p.fetched_at is null or p.fetched_at < now() - make_interval(secs => ${FRESH / 1000}::int))`)
  if (poll) await askAgain(ctx, poll)
}

async function askAgain(ctx: Context, { status_id: statusId, account_id: authorId, uri }: Ended): Promise<void> {
  // However it goes, it is not asked again at once.
  await ctx.db.run(sql`update polls set fetched_at = now() where status_id = ${statusId}`)
  try {
    const [note, author] = await Promise.all([fetchNote(ctx, uri ?? ''), findAccount(ctx, authorId)])
    if (note && author && note.id === uri && note.attributedTo === author.uri)
      await reviseNote(ctx, statusId, note, author, note.updated ?? new Date())
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, uri }, 'a poll could not be asked for')
  }
}

/** Has a remote poll asked how it stands, in the background, unless that was done lately, or after its end. */
export async function refreshPollIfStale(
  ctx: Context,
  poll: { id: string; domain: string | null; expires_at: Date | null; fetched_at: Date | null },
): Promise<void> {
  const [asked, end] = [poll.fetched_at?.getTime() ?? 0, poll.expires_at?.getTime() ?? Infinity]
  if (poll.domain === null || asked > end || Date.now() - asked < FRESH) return
  await ctx.enqueue('polls.refresh', { pollId: poll.id }, { key: poll.id })
}

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
