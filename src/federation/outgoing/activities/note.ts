import type { Context } from '../../../context.ts'
import type { Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import type { StoredActivity } from '../../../domain/peers/activities.ts'
import { usernameOf } from '../../ids.ts'
import { isInboxOf, type DeliveryRecipients } from '../recipients.ts'
import { renderCreate, renderDelete, renderRefresh, renderUpdate } from '../render/activity.ts'
import { loadNotes, type NoteRow } from '../render/note.ts'
import type { Prepare, Withdrawal } from './outgoing.ts'
import { isPublicOrUnlisted, isPublicOrUnlistedSql } from '../../../domain/statuses/visibility.ts'

export const prepareNote: Prepare<'create' | 'update' | 'refresh'> = async (ctx, { activity, statusId, to }, jobId) => {
  const row = (await loadNotes(ctx, [statusId])).get(statusId)
  if (!row || row.approval !== null) return null
  const isChange = activity !== 'create'
  const isOpen = isPublicOrUnlisted(row.visibility)
  return {
    accountId: row.account_id,
    activity: renderAs(ctx, activity, row, jobId),
    topic: { kind: 'status', id: statusId },
    statusId,
    // Servers that have not received the Create yet receive it with the current text.
    renewed: renderCreate(ctx, row),
    to: to ? { accountIds: to } : await everyRecipient(ctx, row, { withCopies: isChange && isOpen }),
    ...(isChange && !isOpen ? { withdrawn: await withdrawal(ctx, row) } : {}),
  }
}

async function everyRecipient(
  ctx: Context,
  row: NoteRow,
  { withCopies }: { withCopies: boolean },
): Promise<DeliveryRecipients> {
  return {
    ...(await audience(ctx, row)),
    ...(withCopies ? { copiesOf: row.id } : {}),
    relays: row.visibility === 'public',
  }
}

type AddressedStatus = Pick<Statuses, 'id' | 'account_id' | 'visibility'>

/** Followers and mentioned accounts; for a public or unlisted status also the authors of its parent and of the quoted status. */
async function audience(ctx: Context, status: AddressedStatus): Promise<DeliveryRecipients> {
  const isOpen = isPublicOrUnlisted(status.visibility)
  const named = await ctx.db.many<{ id: string }>(sql`
    select account_id as id from mentions where status_id = ${status.id}
    union select in_reply_to_account_id from statuses where id = ${status.id} and ${isOpen} and in_reply_to_account_id is not null
    union select quoted_account_id from quotes where status_id = ${status.id} and ${isOpen} and quoted_account_id is not null`)
  return {
    accountIds: named.map(({ id }) => id),
    ...(status.visibility === 'direct' ? {} : { followersOf: [status.account_id] }),
  }
}

/**
 * An edit replaces the text of an undelivered Create. An inbox that the edit removed from the audience of a private status must
 * not receive the new text. Call this after reading the activity, so that the edit whose text was read is seen here too.
 */
export async function hasLostInbox(ctx: Context, { topic, type }: StoredActivity, inbox: string): Promise<boolean> {
  if (topic?.kind !== 'status' || type !== 'Create') return false
  const edited = await ctx.db.maybe<AddressedStatus>(sql`
    select id, account_id, visibility from statuses
    where id = ${topic.id} and not ${isPublicOrUnlistedSql(sql`visibility`)} and edited_at is not null`)
  return edited !== null && !(await isInboxOf(ctx, inbox, await audience(ctx, edited)))
}

/**
 * Servers that an edit removed from the audience of a private or direct status must neither keep the old text nor receive the
 * new one: they receive a Delete.
 */
async function withdrawal(ctx: Context, row: NoteRow): Promise<Withdrawal> {
  const former = await ctx.db.many<{ id: string }>(
    sql`select account_id as id from former_mentions where status_id = ${row.id}`,
  )
  return {
    activity: renderDelete(ctx, row.username, row.id),
    to: { accountIds: former.map(({ id }) => id) },
  }
}

function renderAs(
  ctx: Context,
  activity: 'create' | 'update' | 'refresh',
  row: NoteRow,
  eventId: string,
): Record<string, unknown> {
  if (activity === 'create') return renderCreate(ctx, row)
  return activity === 'update' ? renderUpdate(ctx, row) : renderRefresh(ctx, row, eventId)
}

export const prepareDelete: Prepare<'delete'> = async (ctx, { accountId, statusId, visibility, to, sharers = [] }) => {
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  return {
    accountId,
    activity: renderDelete(ctx, username, statusId),
    topic: { kind: 'status', id: statusId },
    to: {
      accountIds: to,
      followersOf: [...(visibility === 'direct' ? [] : [accountId]), ...sharers],
      relays: visibility === 'public',
    },
  }
}
