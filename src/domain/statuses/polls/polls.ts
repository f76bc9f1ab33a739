import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { NotFound } from '../../../lib/errors.ts'
import type { PollDraft } from './rules.ts'
import { visibleTo, type MaybeViewer } from '../visibility.ts'

export type PollRow = {
  id: string
  status_id: string
  options: string[]
  tallies: number[]
  voters_count: number | null
  multiple: boolean
  hide_totals: boolean
  expires_at: Date | null
  closed_at: Date | null
  fetched_at: Date | null
  /** Of the author, and of the post. */
  account_id: string
  domain: string | null
  uri: string | null
}

/** A poll whose post the viewer may read. Throws NotFound. */
export async function getVisiblePoll(ctx: Context, viewer: MaybeViewer, id: string): Promise<PollRow> {
  const poll = await ctx.db.maybe<PollRow>(sql`
    select p.*, s.account_id, s.uri, a.domain from polls p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id
    where p.id = ${id} and ${visibleTo(viewer)}`)
  if (!poll) throw new NotFound()
  return poll
}

/** The poll of a post, or null. Says nothing about who may see it. */
export async function findPollOf(ctx: Context, statusId: string): Promise<PollRow | null> {
  return ctx.db.maybe<PollRow>(sql`
    select p.*, s.account_id, s.uri, a.domain from polls p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id
    where p.status_id = ${statusId}`)
}

/** Stores the poll of a post, whose row names it already, and sees to it that its end is noticed. */
export async function insertPoll(tx: Context, id: string, statusId: string, draft: PollDraft): Promise<void> {
  const tallies = draft.tallies ?? draft.options.map(() => 0)
  const local = draft.tallies === undefined
  await tx.db.run(sql`
    insert into polls (id, status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, fetched_at)
    values (${id}, ${statusId}, ${draft.options}::text[], ${tallies}::int[], ${local ? 0 : (draft.votersCount ?? null)}, ${draft.multiple},
      ${draft.hideTotals}, ${draft.expiresAt}::timestamptz, ${local ? null : new Date()}::timestamptz)`)
  if (local) await awaitEnd(tx, id, draft.expiresAt)
}

/** Adds the job that notices the end of a poll. */
async function awaitEnd(tx: Context, pollId: string, expiresAt: Date | null): Promise<void> {
  if (expiresAt !== null) await tx.enqueue('polls.close', { pollId }, { at: expiresAt })
}

/** Whether other options, or another way to choose, make it another poll: votes for the old one do not count in it. */
export const isOtherPoll = (
  before: Pick<PollRow, 'options' | 'multiple'>,
  after: Pick<PollDraft, 'options' | 'multiple'>,
): boolean =>
  before.multiple !== after.multiple ||
  before.options.length !== after.options.length ||
  before.options.some((option, i) => option !== after.options[i])

/**
 * Makes a stored poll what `draft` says. Votes go when it becomes another poll, and its end is awaited anew when it moves. The
 * row of the post is for the caller to touch.
 */
export async function updatePoll(tx: Context, before: PollRow, draft: PollDraft): Promise<void> {
  const isOther = isOtherPoll(before, draft)
  const isRemote = draft.tallies !== undefined
  if (isOther) await tx.db.run(sql`delete from poll_votes where poll_id = ${before.id}`)
  const tallies = draft.tallies ?? (isOther ? draft.options.map(() => 0) : null)
  const voters = isRemote ? (draft.votersCount ?? null) : 0
  const moved = before.expires_at?.getTime() !== draft.expiresAt?.getTime()
  await tx.db.run(sql`
    update polls set options = ${draft.options}::text[], multiple = ${draft.multiple}, hide_totals = ${draft.hideTotals},
      expires_at = ${draft.expiresAt}::timestamptz, closed_at = case when ${moved} and ${draft.expiresAt}::timestamptz > now() then null else closed_at end,
      tallies = coalesce(${tallies}::int[], tallies), voters_count = case when ${isRemote || isOther} then ${voters}::int else voters_count end,
      fetched_at = case when ${isRemote} then now() else fetched_at end
    where id = ${before.id}`)
  if (moved && (!isRemote || (await hasVotes(tx, before.id)))) await awaitEnd(tx, before.id, draft.expiresAt)
}

/** Votes of our people: the end of a remote poll is nothing to anybody else here. */
async function hasVotes(tx: Context, pollId: string): Promise<boolean> {
  return (await tx.db.maybe(sql`select from poll_votes where poll_id = ${pollId} limit 1`)) !== null
}
