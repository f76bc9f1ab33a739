import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { PollDraft } from './rules.ts'
import { insertPoll, isOtherPoll, updatePoll, type PollRow } from './polls.ts'

export type PollPlan = {
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
