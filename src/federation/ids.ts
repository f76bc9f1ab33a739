import type { AuthorizedKind } from '../ap/authorization.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri, boostUri, statusUri } from '../domain/server/addresses.ts'

/**
 * Ids of local activities. They are derived, never stored: from the row that an activity is about or, for events without a
 * row, from the id of the job that distributes them. So a job that runs twice sends the same id twice, and peers see one activity.
 */
export const createUri = (ctx: Context, username: string, statusId: string): string => boostUri(ctx, username, statusId)
export const updateUri = (ctx: Context, username: string, statusId: string, at: Date): string =>
  `${statusUri(ctx, username, statusId)}#updates/${at.getTime()}`
export const refreshUri = (ctx: Context, username: string, statusId: string, eventId: string): string =>
  `${statusUri(ctx, username, statusId)}#updates/${eventId}`
export const deleteUri = (ctx: Context, username: string, statusId: string): string =>
  `${statusUri(ctx, username, statusId)}#delete`
export const followUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#follows/${id}`
export const likeUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#likes/${id}`
export const blockUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#blocks/${id}`
/** With which a local account authorized a quote (FEP-044f), a reply, a boost or a favourite; `id` is that of their row. */
export const authorizationUri = (ctx: Context, kind: AuthorizedKind, username: string, id: string): string =>
  `${accountUri(ctx, username)}/${kind}_authorizations/${id}`
export const requestUri = (ctx: Context, kind: AuthorizedKind, username: string, id: string): string =>
  `${accountUri(ctx, username)}#${kind}_requests/${id}`
export const voteUri = (ctx: Context, username: string, id: string): string =>
  `${accountUri(ctx, username)}#votes/${id}`
export const followersUri = (ctx: Context, username: string): string => `${accountUri(ctx, username)}/followers`
/** Those followers who are of the server that asks. */
export const followersSynchronizationUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/followers_synchronization`
export const followingUri = (ctx: Context, username: string): string => `${accountUri(ctx, username)}/following`
export const featuredUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/collections/featured`
export const featuredTagsUri = (ctx: Context, username: string): string =>
  `${accountUri(ctx, username)}/collections/tags`

/** The name of an account of this server. */
export async function usernameOf(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ username: string }>(
    sql`select username from accounts where id = ${accountId} and domain is null`,
  )
  return row?.username ?? null
}

/** The ActivityPub id of any account that is known here. */
export async function findAccountUri(ctx: Context, accountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ uri: string | null; username: string }>(
    sql`select uri, username from accounts where id = ${accountId}`,
  )
  return row && (row.uri ?? accountUri(ctx, row.username))
}
