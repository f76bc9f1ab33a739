import type { AuthorizedKind } from '../ap/authorization.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri, reblogUri, statusUri } from '../domain/server/addresses.ts'
import { INTERACTIONS, type Requested } from '../jobs/distribution.ts'

/** The kinds of requests that this server sends to other accounts. */
export const REQUESTED_KINDS: readonly Requested[] = [...INTERACTIONS, 'feature']
const REQUEST = new RegExp(`#(${REQUESTED_KINDS.join('|')})_requests/(\\d+)$`)

/**
 * The ids of local activities are derived from a row or, for an event without a row, from the id of its job. A job that runs
 * twice sends the same id twice, so that other servers see one activity.
 */
export const createUri = (ctx: Context, username: string, statusId: string): string =>
  reblogUri(ctx, username, statusId)
export const updateUri = (ctx: Context, username: string, statusId: string, at: Date): string =>
  `${statusUri(ctx, username, statusId)}#updates/${at.getTime()}`
export const refreshUri = (ctx: Context, username: string, statusId: string, eventId: string): string =>
  `${statusUri(ctx, username, statusId)}#updates/${eventId}`
export const deleteUri = (ctx: Context, username: string, statusId: string): string =>
  `${statusUri(ctx, username, statusId)}#delete`
export const followUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#follows/${id}`
/** Whether a URI has the form of a `followUri`, also of another server. */
export const isFollowUri = (uri: string): boolean => uri.includes('#follows/')
export const likeUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#likes/${id}`
/** The id in a URI that has the form of a `likeUri`, also of another server. */
export const idInLikeUri = (uri: string): string | null => /#likes\/(\d+)$/.exec(uri)?.[1] ?? null
export const blockUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#blocks/${id}`
export const authorizationUri = (ctx: Context, kind: AuthorizedKind, username: string, id: string): string =>
  `${accountUri(ctx, username)}/${kind}_authorizations/${id}`
export const requestUri = (ctx: Context, kind: AuthorizedKind, username: string, id: string): string =>
  `${accountUri(ctx, username)}#${kind}_requests/${id}`
/** The parts of a URI that has the form of a `requestUri`, also of another server. */
export function parseRequestUri(uri: string): { kind: Requested; id: string } | null {
  const [, kind, id] = REQUEST.exec(uri) ?? []
  return id === undefined ? null : { kind: kind as Requested, id }
}
export const voteUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#votes/${id}`
export const followersUri = (ctx: Context, username: string): string => `${accountUri(ctx, username)}/followers`
export const followersSynchronizationUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/followers_synchronization`
export const followingUri = (ctx: Context, username: string): string => `${accountUri(ctx, username)}/following`
export const featuredUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/collections/featured`
export const featuredCollectionsUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/featured_collections`
export const featuredTagsUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/collections/tags`

export const devicesUri = (ctx: Context, username: string): string => `${accountUri(ctx, username)}/collections/devices`
export const claimUri = (ctx: Context, username: string, deviceId: string): string =>
  `${accountUri(ctx, username)}/claim?id=${encodeURIComponent(deviceId)}`
export const encryptedMessageUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#encrypted_messages/${id}`

/** Null for a remote or deleted account. */
export async function usernameOf(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ username: string }>(
    sql`select username from accounts where id = ${accountId} and domain is null`,
  )
  return row?.username ?? null
}

export async function findAccountUri(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ uri: string | null; username: string }>(
    sql`select uri, username from accounts where id = ${accountId}`,
  )
  return row && (row.uri ?? accountUri(ctx, row.username))
}
