import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { timeOfId } from '../../lib/ids.ts'
import type { StoredActivity } from '../../domain/peers/outbox.ts'
import { usernameOf } from '../accounts.ts'
import type { Of, Outgoing, Withdrawal } from './distribute.ts'
import { isInboxOf, type Recipients } from './recipients.ts'
import * as render from './render/activity.ts'
import { loadBoosts } from './render/boost.ts'
import { loadNotes, type NoteRow } from './render/note.ts'

const statusTopic = (statusId: string): string => `status ${statusId}`

/** Create or Update of a post by a local account. */
export async function note(
  ctx: Context,
  { activity, statusId }: Of<'create' | 'update'> | Of<'refresh'>,
  eventId: string,
): Promise<Outgoing | null> {
  const row = (await loadNotes(ctx, [statusId])).get(statusId)
  if (!row || row.approval !== null) return null
  const open = isOpen(row)
  return {
    accountId: row.account_id,
    activity: renderAs(ctx, activity, row, eventId),
    topic: statusTopic(statusId),
    statusId,
    // Who has not been told of the post yet is told of it as it is now.
    renewed: render.renderCreate(ctx, row),
    to: {
      ...(await audience(ctx, row)),
      ...(activity !== 'create' && open ? { reachOf: statusId } : {}),
    },
    ...(activity === 'create' || open ? {} : { withdrawn: await withdrawal(ctx, row) }),
  }
}

type Audience = { id: string; account_id: string; visibility: string }

const isOpen = ({ visibility }: { visibility: string }): boolean => visibility === 'public' || visibility === 'unlisted'

/** The accounts that a post is addressed to, by its mentions as they are now. */
async function audience(ctx: Context, status: Audience): Promise<Recipients> {
  const open = isOpen(status)
  const named = await ctx.db.many<{ id: string }>(sql`
    select account_id as id from mentions where status_id = ${status.id}
    union select in_reply_to_account_id from statuses where id = ${status.id} and ${open} and in_reply_to_account_id is not null
    union select quoted_account_id from quotes where status_id = ${status.id} and ${open} and quoted_account_id is not null`)
  return {
    accountIds: named.map(({ id }) => id),
    ...(status.visibility === 'direct' ? {} : { followersOf: [status.account_id] }),
  }
}

/**
 * Whether a stored activity is the Create of an edited private post whose audience no longer includes an inbox. The edit
 * replaced the text of the Create, and the inbox must not get the new text. Call this after reading the activity: then an edit
 * whose text was read is seen here as well.
 */
export async function hasLostInbox(ctx: Context, { topic, type }: StoredActivity, inbox: string): Promise<boolean> {
  if (topic === null || type !== 'Create' || !topic.startsWith(statusTopic(''))) return false
  const edited = await ctx.db.maybe<Audience>(sql`
    select id, account_id, visibility from statuses
    where id = ${topic.slice(statusTopic('').length)} and visibility in ('private', 'direct') and edited_at is not null`)
  return edited !== null && !(await isInboxOf(ctx, inbox, await audience(ctx, edited)))
}

/**
 * Delete of a post for few, for servers where an edit left none of its audience: they must not keep the old text, nor get the
 * new one.
 */
async function withdrawal(ctx: Context, row: NoteRow): Promise<Withdrawal> {
  const former = await ctx.db.many<{ id: string }>(
    sql`select account_id as id from former_mentions where status_id = ${row.id}`,
  )
  return {
    activity: render.renderDelete(ctx, row.username, row.id),
    to: { accountIds: former.map(({ id }) => id) },
  }
}

function renderAs(
  ctx: Context,
  activity: 'create' | 'update' | 'refresh',
  row: NoteRow,
  eventId: string,
): Record<string, unknown> {
  if (activity === 'create') return render.renderCreate(ctx, row)
  return activity === 'update' ? render.renderUpdate(ctx, row) : render.renderRefresh(ctx, row, eventId)
}

/** Delete of a post by a local account. */
export async function deletion(ctx: Context, data: Of<'delete'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const followed = [...(data.visibility === 'direct' ? [] : [data.accountId]), ...(data.sharers ?? [])]
  const to = { accountIds: data.to, followersOf: followed }
  const activity = render.renderDelete(ctx, username, data.statusId)
  return { accountId: data.accountId, activity, topic: statusTopic(data.statusId), to }
}

/** Announce: a boost by a local account. */
export async function boost(ctx: Context, { statusId }: Of<'announce'>): Promise<Outgoing | null> {
  const row = (await loadBoosts(ctx, [statusId])).get(statusId)
  if (!row?.isApproved) return null
  return {
    accountId: row.accountId,
    activity: render.renderAnnounce(ctx, row),
    topic: statusTopic(statusId),
    statusId,
    to: { followersOf: [row.accountId], accountIds: [row.originalAuthorId] },
  }
}

/** Undo of an Announce. The boost is gone, but its id still tells when it was made. */
export async function undoBoost(ctx: Context, data: Of<'undo-announce'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const announce = render.renderAnnounce(ctx, {
    id: data.statusId,
    username,
    visibility: data.visibility,
    originalUri: data.originalUri,
    originalAuthorUri: data.originalAuthorUri,
    createdAt: timeOfId(data.statusId),
  })
  return {
    accountId: data.accountId,
    activity: render.renderUndo(ctx, username, announce),
    topic: statusTopic(data.statusId),
    // A boost that was not approved is unknown to the followers.
    to: { accountIds: data.to, ...(data.visibility === 'direct' ? {} : { followersOf: [data.accountId] }) },
  }
}
