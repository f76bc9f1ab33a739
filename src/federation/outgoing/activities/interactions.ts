import { activityStreamsContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, Favourites, PollVotes, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri } from '../../../domain/server/addresses.ts'
import { usernameOf, voteUri } from '../../ids.ts'
import type { ActOf, OutgoingActivity, Prepare } from './outgoing.ts'
import { renderAnnounce, renderLike, renderUndo } from '../render/activity.ts'
import { loadReblogs } from '../render/reblog.ts'
import { loadNotes } from '../render/note.ts'
import { timeOfId } from '../../../lib/ids.ts'

type LikeRow = Pick<Accounts, 'username'> &
  Pick<Statuses, 'uri'> &
  Pick<Favourites, 'approval_uri'> & { author_id: Accounts['id'] }

export const prepareLike: Prepare<'like'> = async (ctx, act) => {
  if (act.undo) return prepareUnlike(ctx, act)
  const row = await ctx.db.maybe<LikeRow>(sql`
    select a.username, s.uri, s.account_id as author_id, f.approval_uri
    from favourites f join accounts a on a.id = f.account_id join statuses s on s.id = f.status_id
    where f.id = ${act.favouriteId} and f.approval is null`)
  if (!row?.uri) return null
  return {
    accountId: act.accountId,
    activity: renderLike(ctx, row.username, { id: act.favouriteId, object: row.uri, approvalUri: row.approval_uri }),
    topic: { kind: 'like', id: row.uri },
    to: { accountIds: [row.author_id], inOwnInboxes: true },
  }
}

/** Sends nothing when the account has favourited the status again. */
async function prepareUnlike(
  ctx: Context,
  act: { accountId: string; favouriteId: string; originalUri: string; to: string[] },
): Promise<OutgoingActivity | null> {
  const username = await usernameOf(ctx, act.accountId)
  const isFavourited = await ctx.db.maybe(sql`
    select from favourites f join statuses s on s.id = f.status_id where f.account_id = ${act.accountId} and s.uri = ${act.originalUri}`)
  if (username === null || isFavourited) return null
  return {
    accountId: act.accountId,
    activity: renderUndo(ctx, username, renderLike(ctx, username, { id: act.favouriteId, object: act.originalUri })),
    topic: { kind: 'like', id: act.originalUri },
    to: { accountIds: act.to, inOwnInboxes: true },
  }
}

export const prepareAnnounce: Prepare<'announce'> = async (ctx, act) => {
  if (act.undo) return prepareUnannounce(ctx, act)
  const { statusId } = act
  const row = (await loadReblogs(ctx, [statusId])).get(statusId)
  if (!row?.isApproved) return null
  const isOwn = row.originalAuthorId === row.accountId && row.visibility === 'private'
  const own = isOwn ? (await loadNotes(ctx, [row.originalId])).get(row.originalId) : undefined
  return {
    accountId: row.accountId,
    activity: renderAnnounce(ctx, row, own?.visibility === 'private' ? own : undefined),
    topic: { kind: 'status', id: statusId },
    statusId,
    to: { followersOf: [row.accountId], accountIds: [row.originalAuthorId] },
  }
}

/** The row of the boost is gone, but its id still tells its time. */
async function prepareUnannounce(
  ctx: Context,
  act: Extract<ActOf<'announce'>, { undo: true }>,
): Promise<OutgoingActivity | null> {
  const { accountId, statusId, visibility, originalUri, originalAuthorUri } = act
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  const createdAt = timeOfId(statusId)
  const reblog = { id: statusId, username, visibility, originalUri, originalAuthorUri, createdAt }
  return {
    accountId,
    activity: renderUndo(ctx, username, renderAnnounce(ctx, reblog)),
    topic: { kind: 'status', id: statusId },
    // A boost that was not approved has the visibility "direct" here: the followers never received it.
    to: { accountIds: act.to, ...(visibility === 'direct' ? {} : { followersOf: [accountId] }) },
  }
}

type VoteRow = Pick<PollVotes, 'id'> &
  Pick<Accounts, 'username'> & {
    option: string
    question: Statuses['uri']
    author_id: Accounts['id']
    author_uri: Accounts['uri']
  }

/**
 * A vote is a Create of a note per option, for the author of the poll alone. They are delivered one after another, because
 * servers that process several votes of one voter at once lose some.
 */
export const prepareVote: Prepare<'vote'> = async (ctx, { accountId, voteIds }) => {
  const rows = await ctx.db.many<VoteRow>(sql`
    select v.id, a.username, p.options[v.choice + 1] as option, s.uri as question, s.account_id as author_id, author.uri as author_uri
    from poll_votes v join polls p on p.id = v.poll_id join statuses s on s.id = p.status_id
    join accounts a on a.id = v.account_id join accounts author on author.id = s.account_id 
    where v.id = any(${voteIds}::bigint[]) order by v.id`)
  const [activity, ...followedBy] = rows.map((row) => renderVote(ctx, row)).filter((vote) => vote !== null)
  const authorId = rows[0]?.author_id
  return activity && authorId !== undefined
    ? { accountId, activity, followedBy, to: { accountIds: [authorId], inOwnInboxes: true } }
    : null
}

function renderVote(ctx: Context, row: VoteRow): Record<string, unknown> | null {
  if (!row.question || !row.author_uri) return null
  const [id, actor] = [voteUri(ctx, row.username, row.id), accountUri(ctx, row.username)]
  return {
    '@context': activityStreamsContext,
    id: `${id}/activity`,
    type: 'Create',
    actor,
    to: row.author_uri,
    object: { id, type: 'Note', name: row.option, attributedTo: actor, inReplyTo: row.question, to: row.author_uri },
  }
}
