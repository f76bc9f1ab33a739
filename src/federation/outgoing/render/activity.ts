import { activityStreamsContext, actorContext, noteContext } from '../../../ap/context.ts'
import { publicCollection } from '../../../ap/audience.ts'
import type { Context } from '../../../context.ts'
import { accountUri, reblogUri, statusUri } from '../../../domain/server/addresses.ts'
import * as ids from '../../ids.ts'
import type { Reblog } from './reblog.ts'
import { audienceOf, renderNote, type NoteRow } from './note.ts'
import { authorizationMembers } from './note-extras.ts'

type Activity = Record<string, unknown>

export function renderCreate(ctx: Context, row: NoteRow): Activity {
  return {
    '@context': noteContext,
    id: ids.createUri(ctx, row.username, row.id),
    type: 'Create',
    actor: accountUri(ctx, row.username),
    published: row.created_at.toISOString(),
    ...audienceOf(ctx, row),
    object: renderNote(ctx, row),
  }
}

export function renderUpdate(ctx: Context, row: NoteRow): Activity {
  const at = row.edited_at ?? row.created_at
  return {
    '@context': noteContext,
    id: ids.updateUri(ctx, row.username, row.id, at),
    type: 'Update',
    actor: accountUri(ctx, row.username),
    published: at.toISOString(),
    ...audienceOf(ctx, row),
    object: renderNote(ctx, row),
  }
}

/** For a change of the poll, the policy or the quote approval. `eventId` is the id of the job. */
export function renderRefresh(ctx: Context, row: NoteRow, eventId: string): Activity {
  const { published: _, ...update } = renderUpdate(ctx, row)
  return { ...update, id: ids.refreshUri(ctx, row.username, row.id, eventId) }
}

/** The row of the note may be gone already. */
export function renderDelete(ctx: Context, username: string, statusId: string): Activity {
  const uri = statusUri(ctx, username, statusId)
  return {
    '@context': [activityStreamsContext, { ostatus: 'http://ostatus.org#', atomUri: 'ostatus:atomUri' }],
    id: ids.deleteUri(ctx, username, statusId),
    type: 'Delete',
    actor: accountUri(ctx, username),
    to: [publicCollection],
    object: { id: uri, type: 'Tombstone', atomUri: uri },
  }
}

export function renderDeleteActor(ctx: Context, username: string): Activity {
  const uri = accountUri(ctx, username)
  return {
    '@context': activityStreamsContext,
    id: `${uri}#delete`,
    type: 'Delete',
    actor: uri,
    to: [publicCollection],
    object: uri,
  }
}

export function renderUpdateActor(ctx: Context, username: string, actor: Activity, eventId: string): Activity {
  const { '@context': _, ...object } = actor
  const uri = accountUri(ctx, username)
  return {
    '@context': actorContext,
    id: `${uri}#updates/${eventId}`,
    type: 'Update',
    actor: uri,
    to: [publicCollection],
    object,
  }
}

function reblogAudience(ctx: Context, reblog: Reblog): { to: string[]; cc: string[] } {
  const followers = ids.followersUri(ctx, reblog.username)
  const author = reblog.originalAuthorUri ? [reblog.originalAuthorUri] : []
  if (reblog.visibility === 'public') return { to: [publicCollection], cc: [followers, ...author] }
  if (reblog.visibility === 'unlisted') return { to: [followers], cc: [publicCollection, ...author] }
  return { to: [followers], cc: author }
}

/** `own`: the author's post for followers, whose servers may not be able to fetch it. It is embedded, as in Mastodon. */
export function renderAnnounce(ctx: Context, reblog: Reblog, own?: NoteRow): Activity {
  return {
    '@context': own || reblog.approvalUri ? noteContext : activityStreamsContext,
    id: reblogUri(ctx, reblog.username, reblog.id),
    type: 'Announce',
    actor: accountUri(ctx, reblog.username),
    published: reblog.createdAt.toISOString(),
    ...reblogAudience(ctx, reblog),
    object: own ? renderNote(ctx, own) : reblog.originalUri,
    ...authorizationMembers('announce', reblog.approvalUri ?? null),
  }
}

export const renderPublication = (ctx: Context, note?: NoteRow, reblog?: Reblog): Activity | null =>
  (note && renderCreate(ctx, note)) ?? (reblog && renderAnnounce(ctx, reblog)) ?? null

export function renderUndo(ctx: Context, username: string, object: Activity): Activity {
  const { '@context': context, ...inner } = object
  return {
    '@context': context ?? activityStreamsContext,
    id: `${String(object.id)}/undo`,
    type: 'Undo',
    actor: accountUri(ctx, username),
    ...(object.to === undefined ? {} : { to: object.to }),
    ...(object.cc === undefined ? {} : { cc: object.cc }),
    object: inner,
  }
}

export const renderLike = (
  ctx: Context,
  username: string,
  { id, object, approvalUri = null }: { id: string; object: string; approvalUri?: string | null },
): Activity => ({
  '@context': approvalUri ? noteContext : activityStreamsContext,
  id: ids.likeUri(ctx, username, id),
  type: 'Like',
  actor: accountUri(ctx, username),
  object,
  ...authorizationMembers('like', approvalUri),
})

export const renderFollow = (ctx: Context, username: string, id: string, object: string): Activity => ({
  '@context': activityStreamsContext,
  id: ids.followUri(ctx, username, id),
  type: 'Follow',
  actor: accountUri(ctx, username),
  object,
})

type FollowAnswer = { type: 'Accept' | 'Reject'; eventId: string; follow: { id?: string; actor: string } }

export const renderFollowAnswer = (
  ctx: Context,
  username: string,
  { type, eventId, follow }: FollowAnswer,
): Activity => ({
  '@context': activityStreamsContext,
  id: `${accountUri(ctx, username)}#${type === 'Accept' ? 'accepts' : 'rejects'}/follows/${eventId}`,
  type,
  actor: accountUri(ctx, username),
  object: { ...follow, type: 'Follow', object: accountUri(ctx, username) },
})

/** Each move has its own id, so that a move can be undone and repeated. */
export function renderMove(ctx: Context, username: string, id: string, target: string): Activity {
  const uri = accountUri(ctx, username)
  return {
    '@context': activityStreamsContext,
    id: `${uri}#moves/${id}`,
    type: 'Move',
    actor: uri,
    to: [ids.followersUri(ctx, username)],
    object: uri,
    target,
  }
}

export const renderBlock = (ctx: Context, username: string, id: string, object: string): Activity => ({
  '@context': activityStreamsContext,
  id: ids.blockUri(ctx, username, id),
  type: 'Block',
  actor: accountUri(ctx, username),
  object,
})

export const renderFeature = (
  ctx: Context,
  type: 'Add' | 'Remove',
  { username, object, eventId }: { username: string; object: string; eventId: string },
): Activity => ({
  '@context': activityStreamsContext,
  id: `${object}#${type.toLowerCase()}-featured/${eventId}`,
  type,
  actor: accountUri(ctx, username),
  object,
  target: ids.featuredUri(ctx, username),
})
