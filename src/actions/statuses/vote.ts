import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidField, invalidRequest, NotFound } from '../../lib/errors.ts'
import type { PollRow } from '../../domain/statuses/polls/polls.ts'
import { federate } from '../federate.ts'

/** So long after a vote other servers are told how a poll stands, with all votes that came meanwhile: seconds. */
const TELL_AFTER = 60

/** What other servers count may be any number that fits. */
const MOST = sql`2147483647`

/**
 * Votes in a poll that the voter may see, for the options with these indices. In a multiple-choice poll later votes add further
 * options. A remote poll's server receives one Note per option. Throws Invalid for own and expired polls, for options that do not
 * exist, and for a vote that repeats an option or would be a second one in a single-choice poll.
 */
export async function vote(ctx: Context, accountId: string, poll: PollRow, choices: readonly number[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const held = await hold(tx, poll.id)
    if (!held) throw new NotFound()
    if (poll.account_id === accountId) throw invalidRequest('poll_own')
    if (hasEnded(held)) throw invalidRequest('poll_ended')
    if (choices.length === 0) throw invalidField('choices', 'blank')
    if (choices.some((choice) => choice < 0 || choice >= held.options.length))
      throw invalidRequest('poll_no_such_option')
    const wanted = [...new Set(choices)]
    const before = await votesOf(tx, held.id, accountId)
    // A single-choice poll takes the first choice, and refuses the next one as Mastodon does.
    const isRepeated = held.multiple
      ? wanted.some((choice) => before.includes(choice))
      : before.length + wanted.length > 1
    if (isRepeated) throw invalidRequest('poll_voted')
    const voteIds = await store(tx, held.id, accountId, wanted, before.length === 0)
    if (poll.domain !== null) {
      await federate(tx, { activity: 'vote', accountId, voteIds })
      if (held.expires_at !== null) await tx.enqueue('polls.close', { pollId: held.id }, { at: held.expires_at })
    } else await tellLater(tx, held)
  })
}

/**
 * A vote of somebody of another server in a poll of this one. Each option comes by itself. What is no vote, or one too many, is
 * left out: nobody is there to be told.
 */
export async function receiveVote(ctx: Context, accountId: string, statusId: string, option: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await tx.db.maybe<{ id: string }>(sql`
      select p.id from polls p join statuses s on s.id = p.status_id where s.id = ${statusId} and s.local and s.account_id <> ${accountId}`)
    const held = row && (await hold(tx, row.id))
    const choice = held?.options.indexOf(option) ?? -1
    if (!held || choice < 0 || hasEnded(held)) return
    const before = await votesOf(tx, held.id, accountId)
    if (before.length > 0 && !held.multiple) return
    const stored = await store(tx, held.id, accountId, [choice], before.length === 0)
    if (stored.length > 0) await tellLater(tx, held)
  })
}

type Held = Pick<PollRow, 'id' | 'options' | 'multiple' | 'hide_totals' | 'expires_at'>

/** Votes in one poll come one after the other. */
const hold = (tx: Context, id: string): Promise<Held | null> =>
  tx.db.maybe<Held>(sql`select id, options, multiple, hide_totals, expires_at from polls where id = ${id} for update`)

const hasEnded = ({ expires_at: end }: Held): boolean => end !== null && end.getTime() <= Date.now()

/** The options an account has voted for. The poll is locked, so no other vote is stored meanwhile. */
async function votesOf(tx: Context, pollId: string, accountId: string): Promise<number[]> {
  const rows = await tx.db.many<{ choice: number }>(
    sql`select choice from poll_votes where poll_id = ${pollId} and account_id = ${accountId}`,
  )
  return rows.map(({ choice }) => choice)
}

/** Gives the ids of the votes that are new. */
async function store(
  tx: Context,
  pollId: string,
  accountId: string,
  choices: readonly number[],
  isVoter: boolean,
): Promise<string[]> {
  const rows = await tx.db.many<{ id: string; choice: number }>(sql`
    insert into poll_votes (poll_id, account_id, choice) select ${pollId}, ${accountId}, unnest(${choices}::int[])
    on conflict do nothing returning id, choice`)
  await tx.db.run(sql`
    update polls set voters_count = least(voters_count::bigint + ${isVoter ? 1 : 0}::int, ${MOST})::int, tallies = (
      select array_agg(least(t.n::bigint + (t.place - 1 = any(${rows.map(({ choice }) => choice)}::int[]))::int, ${MOST})::int order by t.place)
      from unnest(tallies) with ordinality t (n, place))
    where id = ${pollId}`)
  return rows.map(({ id }) => id)
}

/** Hidden results are told at the end only. */
async function tellLater(tx: Context, poll: Held): Promise<void> {
  if (!poll.hide_totals) await tx.enqueue('polls.tell', { pollId: poll.id }, { delay: TELL_AFTER, key: poll.id })
}
