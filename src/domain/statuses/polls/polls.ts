import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import type { Accounts, Polls, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { NotFound, invalidField } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { isTooLong } from '../../../lib/text/count.ts'
import type { PollDraft } from '../draft.ts'
import { type MaybeViewer, visibleTo } from '../visibility.ts'

export const POLL_MAX_OPTIONS = 4
/** In characters. */
export const POLL_OPTION_LENGTH = 50
/** In seconds: from five minutes to a month, as in Mastodon. */
export const POLL_MIN_EXPIRATION = 300
export const POLL_MAX_EXPIRATION = 2_629_746

export type PollRow = Polls & Pick<Statuses, 'account_id' | 'uri'> & Pick<Accounts, 'domain'>

const pollColumns = sql`
  p.id, p.status_id, p.options, p.tallies, p.voters_count, p.multiple, p.hide_totals, p.expires_at, p.closed_at, p.fetched_at`

const polls = sql`
  select ${pollColumns}, s.account_id, s.uri, a.domain
  from polls p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id`

/** Throws NotFound, also when the viewer may not see the status. */
export async function getVisiblePoll(ctx: Context, viewer: MaybeViewer, id: string): Promise<PollRow> {
  const poll = await ctx.db.maybe<PollRow>(sql`${polls} where p.id = ${id} and ${visibleTo(viewer)}`)
  if (!poll) throw new NotFound()
  return poll
}

/** Does not check who may see the status. */
export const findPollOf = (ctx: Context, statusId: string): Promise<PollRow | null> =>
  ctx.db.maybe<PollRow>(sql`${polls} where p.status_id = ${statusId}`)

/** In the API's names. `expires_in`: seconds. */
export type RequestedPoll = {
  options?: readonly string[]
  expires_in?: number
  multiple?: boolean
  hide_totals?: boolean
}

/**
 * Without `expires_in`, an edited poll keeps its end, `currentEnd`. Leaves out blank options: clients send the empty last field
 * of their form. Throws Invalid.
 */
export function checkPoll(poll: RequestedPoll, currentEnd?: Date | null): PollDraft {
  const options = (poll.options ?? []).map((option) => option.trim()).filter((option) => option !== '')
  if (options.length < 2) throw invalidField('options', 'options_too_few')
  if (options.length > POLL_MAX_OPTIONS) throw invalidField('options', 'options_too_many', { count: POLL_MAX_OPTIONS })
  if (new Set(options).size < options.length) throw invalidField('options', 'options_duplicate')
  if (options.some((option) => isTooLong(option, POLL_OPTION_LENGTH)))
    throw invalidField('options', 'options_too_long', { count: POLL_OPTION_LENGTH })
  return {
    options,
    multiple: poll.multiple ?? false,
    hideTotals: poll.hide_totals ?? false,
    expiresAt: poll.expires_in === undefined && currentEnd !== undefined ? currentEnd : endIn(poll.expires_in),
  }
}

function endIn(seconds: number | undefined): Date {
  if (seconds === undefined) throw invalidField('expires_at', 'blank')
  if (seconds > POLL_MAX_EXPIRATION) throw invalidField('expires_at', 'too_far')
  if (seconds < POLL_MIN_EXPIRATION) throw invalidField('expires_at', 'too_soon')
  return new Date(Date.now() + seconds * 1000)
}

/** The job `polls.close` must close the poll at this time. */
export type PollEnd = { pollId: string; at: Date }

/**
 * The row of the status must have the id of the poll already. Returns null for a remote poll: no local account has voted in it
 * yet.
 */
export async function insertPoll(tx: Context, id: string, statusId: string, draft: PollDraft): Promise<PollEnd | null> {
  const tallies = draft.tallies ?? draft.options.map(() => 0)
  const local = draft.tallies === undefined
  await tx.db.run(sql`
    insert into polls (id, status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, fetched_at)
    values (${id}, ${statusId}, ${draft.options}::text[], ${tallies}::int[], ${local ? 0 : (draft.votersCount ?? null)}, ${draft.multiple},
      ${draft.hideTotals}, ${draft.expiresAt}::timestamptz, ${local ? null : new Date()}::timestamptz)`)
  return local ? endOf(id, draft) : null
}

const endOf = (pollId: string, { expiresAt: at }: PollDraft): PollEnd | null => (at === null ? null : { pollId, at })

/** `isEdit`: the poll is added or removed, or becomes a different one, so the status has a new revision. */
export type PollPlan = { before: Polls | null; after: PollDraft | null; isEdit: boolean }

/** Requires a locked status, and locks the poll. */
export async function planPoll(
  tx: Context,
  statusId: string,
  pollId: string | null,
  after: PollDraft | null,
): Promise<PollPlan> {
  const before =
    pollId === null
      ? null
      : await tx.db.maybe<Polls>(
          sql`select ${pollColumns} from polls p where p.id = ${pollId} and p.status_id = ${statusId} for no key update`,
        )
  const isEdit = before && after ? isDifferentPoll(before, after) : Boolean(before) !== Boolean(after)
  return { before, after, isEdit }
}

/** `end`: the new end of the poll, when it changed and a local account waits for it. */
export async function applyPoll(
  tx: Context,
  statusId: string,
  { before, after, isEdit }: PollPlan,
): Promise<{ changed: boolean; end: PollEnd | null }> {
  if (!isEdit && (!before || !after || isUnchanged(before, after))) {
    // The tally is up to date: it need not be fetched for a while.
    if (before && after?.tallies) await markPollFetched(tx, statusId)
    return { changed: false, end: null }
  }
  if (before && after) return { changed: true, end: await updatePoll(tx, before, after) }
  if (before) {
    // First, while the poll tells the change log which status they belong to.
    await tx.db.run(sql`delete from poll_votes where poll_id = ${before.id}`)
    await tx.db.run(sql`delete from polls where id = ${before.id}`)
    await tx.db.run(sql`update statuses set poll_id = null where id = ${statusId}`)
  }
  if (!after) return { changed: true, end: null }
  const id = newId()
  const end = await insertPoll(tx, id, statusId, after)
  await tx.db.run(sql`update statuses set poll_id = ${id} where id = ${statusId}`)
  return { changed: true, end }
}

/** Votes for the old poll do not count in a different one. */
const isDifferentPoll = (before: Polls, after: PollDraft): boolean =>
  before.multiple !== after.multiple ||
  before.options.length !== after.options.length ||
  before.options.some((option, i) => option !== after.options[i])

function isUnchanged(before: Polls, after: PollDraft): boolean {
  return (
    before.hide_totals === after.hideTotals &&
    before.expires_at?.getTime() === after.expiresAt?.getTime() &&
    (after.tallies === undefined ||
      (isDeepStrictEqual(before.tallies, after.tallies) && before.voters_count === (after.votersCount ?? null)))
  )
}

/** Deletes the votes when the poll becomes a different one. Does not change the row of the status. */
async function updatePoll(tx: Context, before: Polls, draft: PollDraft): Promise<PollEnd | null> {
  const isDifferent = isDifferentPoll(before, draft)
  const isRemote = draft.tallies !== undefined
  if (isDifferent) await tx.db.run(sql`delete from poll_votes where poll_id = ${before.id}`)
  const tallies = draft.tallies ?? (isDifferent ? draft.options.map(() => 0) : null)
  const voters = isRemote ? (draft.votersCount ?? null) : 0
  const isMoved = before.expires_at?.getTime() !== draft.expiresAt?.getTime()
  await tx.db.run(sql`
    update polls set options = ${draft.options}::text[], multiple = ${draft.multiple}, hide_totals = ${draft.hideTotals},
      expires_at = ${draft.expiresAt}::timestamptz, closed_at = case when ${isMoved} and ${draft.expiresAt}::timestamptz > now() then null else closed_at end,
      tallies = coalesce(${tallies}::int[], tallies), voters_count = case when ${isRemote || isDifferent} then ${voters}::int else voters_count end,
      fetched_at = case when ${isRemote} then now() else fetched_at end
    where id = ${before.id}`)
  return isMoved && (!isRemote || (await hasVotes(tx, before.id))) ? endOf(before.id, draft) : null
}

/** Only votes of local accounts are stored for a remote poll. */
async function hasVotes(tx: Context, pollId: string): Promise<boolean> {
  return (await tx.db.maybe(sql`select from poll_votes where poll_id = ${pollId} limit 1`)) !== null
}

export async function markPollFetched(ctx: Context, statusId: string): Promise<void> {
  await ctx.db.run(sql`update polls set fetched_at = now() where status_id = ${statusId}`)
}
