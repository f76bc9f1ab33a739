import type { Context } from '../../../context.ts'
import type { Polls, PollVotes, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'

export type LockedPoll = Pick<Polls, 'id' | 'options' | 'multiple' | 'hide_totals' | 'expires_at'>

/** The lock makes concurrent requests store their votes one after another. */
export const lockPoll = (tx: Context, id: string): Promise<LockedPoll | null> =>
  tx.db.maybe<LockedPoll>(
    sql`select id, options, multiple, hide_totals, expires_at from polls where id = ${id} for update`,
  )

export const hasEnded = ({ expires_at: end }: LockedPoll): boolean => end !== null && end.getTime() <= Date.now()

/** Options by index. */
export async function findVotes(tx: Context, pollId: string, accountId: string): Promise<number[]> {
  const rows = await tx.db.many<Pick<PollVotes, 'choice'>>(
    sql`select choice from poll_votes where poll_id = ${pollId} and account_id = ${accountId}`,
  )
  return rows.map(({ choice }) => choice)
}

/**
 * Requires a locked poll. `isNewVoter`: the account has not voted in it before. Returns the ids of votes that are new. A number
 * of voters that a remote server does not tell stays unknown.
 */
export async function storeVotes(
  tx: Context,
  pollId: string,
  { accountId, choices, isNewVoter }: { accountId: string; choices: readonly number[]; isNewVoter: boolean },
): Promise<string[]> {
  const rows = await tx.db.many<Pick<PollVotes, 'id' | 'choice'>>(sql`
    insert into poll_votes (poll_id, account_id, choice) select ${pollId}, ${accountId}, unnest(${choices}::int[])
    on conflict do nothing returning id, choice`)
  await tx.db.run(sql`
    update polls set voters_count = voters_count + ${isNewVoter ? 1 : 0}::int, tallies = (
      select array_agg(t.n + (t.place - 1 = any(${rows.map(({ choice }) => choice)}::int[]))::int order by t.place)
      from unnest(tallies) with ordinality t (n, place))
    where id = ${pollId}`)
  return rows.map(({ id }) => id)
}

export async function findPollToVoteIn(tx: Context, statusId: string, voterId: string): Promise<string | null> {
  const row = await tx.db.maybe<Pick<Polls, 'id'>>(sql`
    select p.id from polls p join statuses s on s.id = p.status_id where s.id = ${statusId} and s.local and s.account_id <> ${voterId}`)
  return row?.id ?? null
}

export type PolledStatus = Pick<Polls, 'status_id'> & Pick<Statuses, 'account_id' | 'uri' | 'local'>

const polledStatus = sql`select p.status_id, s.account_id, s.uri, s.local from polls p join statuses s on s.id = p.status_id`

export const findExpiredPoll = (ctx: Context, pollId: string): Promise<PolledStatus | null> =>
  ctx.db.maybe<PolledStatus>(sql`
    ${polledStatus} where p.id = ${pollId} and p.closed_at is null and p.expires_at <= now()`)

/** Returns false when the poll was closed before, or its end was moved. */
export const closeExpiredPoll = async (tx: Context, pollId: string): Promise<boolean> =>
  (await tx.db.run(
    sql`update polls set closed_at = now() where id = ${pollId} and closed_at is null and expires_at <= now()`,
  )) > 0

export async function findOpenPollStatus(ctx: Context, pollId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Polls, 'status_id'>>(
    sql`select status_id from polls where id = ${pollId} and closed_at is null`,
  )
  return row?.status_id ?? null
}

/** Null unless the poll is remote and was last fetched more than `seconds` ago. */
export const findStalePoll = (ctx: Context, pollId: string, seconds: number): Promise<PolledStatus | null> =>
  ctx.db.maybe<PolledStatus>(sql`
    ${polledStatus}
    where p.id = ${pollId} and not s.local and (p.fetched_at is null or p.fetched_at < now() - make_interval(secs => ${seconds}::int))`)

/**
 * The ids of polls that expired 10 minutes to 30 days ago and are not closed: local polls, and those with local votes. At most
 * 1000.
 */
export async function findUnclosedPolls(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.many<Pick<Polls, 'id'>>(sql`
    select p.id from polls p join statuses s on s.id = p.status_id
    where p.closed_at is null and p.expires_at < now() - interval '10 minutes' and p.expires_at > now() - interval '30 days'
      and (s.local or exists (select from poll_votes v where v.poll_id = p.id))
    order by p.expires_at desc limit 1000`)
  return rows.map(({ id }) => id)
}
