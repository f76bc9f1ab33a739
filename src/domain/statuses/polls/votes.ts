import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import type { PollRow } from './polls.ts'

/** Remote servers may send any count: the largest that the column holds. */
const MAX_COUNT = sql`2147483647`

export type LockedPoll = Pick<PollRow, 'id' | 'options' | 'multiple' | 'hide_totals' | 'expires_at'>

/** Locks a poll, so that votes in it are stored one after another. */
export const lockPoll = (tx: Context, id: string): Promise<LockedPoll | null> =>
  tx.db.maybe<LockedPoll>(
    sql`select id, options, multiple, hide_totals, expires_at from polls where id = ${id} for update`,
  )

export const hasEnded = ({ expires_at: end }: LockedPoll): boolean => end !== null && end.getTime() <= Date.now()

/** The options an account has voted for. The poll is locked, so no other vote is stored meanwhile. */
export async function findVotes(tx: Context, pollId: string, accountId: string): Promise<number[]> {
  const rows = await tx.db.many<{ choice: number }>(
    sql`select choice from poll_votes where poll_id = ${pollId} and account_id = ${accountId}`,
  )
  return rows.map(({ choice }) => choice)
}

/** Stores and counts votes in a locked poll. Returns the ids of those that are new. */
export async function storeVotes(
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
    update polls set voters_count = least(voters_count::bigint + ${isVoter ? 1 : 0}::int, ${MAX_COUNT})::int, tallies = (
      select array_agg(least(t.n::bigint + (t.place - 1 = any(${rows.map(({ choice }) => choice)}::int[]))::int, ${MAX_COUNT})::int order by t.place)
      from unnest(tallies) with ordinality t (n, place))
    where id = ${pollId}`)
  return rows.map(({ id }) => id)
}

/** The id of the poll of a local status, by another account. */
export async function findPollToVoteIn(tx: Context, statusId: string, voterId: string): Promise<string | null> {
  const row = await tx.db.maybe<{ id: string }>(sql`
    select p.id from polls p join statuses s on s.id = p.status_id where s.id = ${statusId} and s.local and s.account_id <> ${voterId}`)
  return row?.id ?? null
}
