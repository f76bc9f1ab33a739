import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { POLL_MAX_EXPIRATION, POLL_MAX_OPTIONS, POLL_MIN_EXPIRATION, POLL_OPTION_LENGTH } from '../../server/limits.ts'
import type { PollDraft } from '../draft.ts'
import { type MaybeViewer, visibleTo } from '../visibility.ts'
import { NotFound, invalidField } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { isTooLong } from '../../../lib/text/count.ts'

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
const isOtherPoll = (
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
async function updatePoll(tx: Context, before: PollRow, draft: PollDraft): Promise<void> {
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

/** A poll as people send it, in the API's names; `expires_in` in seconds. */
export type PollParams = {
  options?: readonly string[]
  expires_in?: number
  multiple?: boolean
  hide_totals?: boolean
}

/** Checks a poll. One that stands may keep its end (`keep`), where none is named. Throws Invalid. */
export function checkPoll(params: PollParams, keep?: Date | null): PollDraft {
  const options = (params.options ?? []).map((option) => option.trim())
  if (options.some((option) => option === '')) throw invalidField('options', 'blank')
  if (options.length < 2) throw invalidField('options', 'options_too_few')
  if (options.length > POLL_MAX_OPTIONS) throw invalidField('options', 'options_too_many', { count: POLL_MAX_OPTIONS })
  if (new Set(options).size < options.length) throw invalidField('options', 'options_duplicate')
  if (options.some((option) => isTooLong(option, POLL_OPTION_LENGTH)))
    throw invalidField('options', 'options_too_long', { count: POLL_OPTION_LENGTH })
  return {
    options,
    multiple: params.multiple ?? false,
    hideTotals: params.hide_totals ?? false,
    expiresAt: params.expires_in === undefined && keep !== undefined ? keep : endOf(params.expires_in),
  }
}

function endOf(seconds: number | undefined): Date {
  if (seconds === undefined) throw invalidField('expires_at', 'blank')
  if (seconds > POLL_MAX_EXPIRATION) throw invalidField('expires_at', 'too_far')
  if (seconds < POLL_MIN_EXPIRATION) throw invalidField('expires_at', 'too_soon')
  return new Date(Date.now() + seconds * 1000)
}

type PollPlan = {
  before: PollRow | null
  after: PollDraft | null
  /** Whether it is another poll than before, or there was none, or there is none any more. */
  isEdit: boolean
}

/** What it takes to give a post, which is held, this poll. */
export async function planPoll(
  tx: Context,
  statusId: string,
  pollId: string | null,
  after: PollDraft | null,
): Promise<PollPlan> {
  const before =
    pollId === null
      ? null
      : await tx.db.maybe<PollRow>(
          sql`select * from polls where id = ${pollId} and status_id = ${statusId} for no key update`,
        )
  const isEdit = before && after ? isOtherPoll(before, after) : Boolean(before) !== Boolean(after)
  return { before, after, isEdit }
}

/** Does it. Gives whether anything changed. */
export async function applyPoll(tx: Context, statusId: string, { before, after, isEdit }: PollPlan): Promise<boolean> {
  if (!isEdit && (!before || !after || isSame(before, after))) {
    // Heard of it all the same: no need to ask.
    if (before && after?.tallies) await tx.db.run(sql`update polls set fetched_at = now() where id = ${before.id}`)
    return false
  }
  if (before && after) await updatePoll(tx, before, after)
  else if (before) {
    await tx.db.run(sql`delete from polls where id = ${before.id}`)
    await tx.db.run(sql`update statuses set poll_id = null where id = ${statusId}`)
  } else if (after) {
    const id = newId()
    await insertPoll(tx, id, statusId, after)
    await tx.db.run(sql`update statuses set poll_id = ${id} where id = ${statusId}`)
  }
  return true
}

function isSame(before: PollRow, after: PollDraft): boolean {
  return (
    before.hide_totals === after.hideTotals &&
    before.expires_at?.getTime() === after.expiresAt?.getTime() &&
    (after.tallies === undefined ||
      (isDeepStrictEqual(before.tallies, after.tallies) && before.voters_count === (after.votersCount ?? null)))
  )
}
