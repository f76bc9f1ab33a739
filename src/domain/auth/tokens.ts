import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets, seal, unseal } from '../server/secrets.ts'
import { digestOf } from './viewer.ts'

export type IssuedToken = { id: string; token: string; scopes: string[]; created_at: Date }

/** A secret of 256 bits, in a form that survives URLs, headers and copying by hand. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Gives the application a token for the user (or for itself). An equal request is given the same token again. */
export async function issueToken(
  ctx: Context,
  request: { appId: string; userId: string | null; scopes: readonly string[] },
): Promise<IssuedToken> {
  const { tokenKey } = await getSecrets(ctx)
  const scopes = [...request.scopes].toSorted()
  const known = await ctx.db.maybe<{ id: string; sealed: Buffer; created_at: Date }>(sql`
    select id, sealed, created_at from oauth_tokens
    where app_id = ${request.appId} and user_id is not distinct from ${request.userId} and scopes = ${scopes}::text[]
    order by id limit 1`)
  if (known) return { id: known.id, token: unseal(tokenKey, known.sealed), scopes, created_at: known.created_at }
  const token = newSecret()
  const row = await ctx.db.one<{ id: string; created_at: Date }>(sql`
    insert into oauth_tokens (digest, sealed, app_id, user_id, scopes)
    values (${digestOf(token)}, ${seal(tokenKey, token)}, ${request.appId}, ${request.userId}, ${scopes}::text[])
    returning id, created_at`)
  return { ...row, token, scopes }
}

/** Revokes tokens by id: they stop working at once, and their streams close. */
export async function revokeTokens(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`delete from oauth_tokens where id = any(${ids}::bigint[])`)
    tx.publish({ type: 'tokens.gone', tokenIds: [...ids] })
  })
}

export type KnownToken = {
  id: string
  app_id: string
  client_id: string
  user_id: string | null
  account_id: string | null
  scopes: string[]
  created_at: Date
}

/** What a token is, or null when it is unknown or revoked. */
export async function findToken(ctx: Context, token: string): Promise<KnownToken | null> {
  return ctx.db.maybe<KnownToken>(sql`
    select t.id, t.app_id, app.client_id, t.user_id, u.account_id, t.scopes, t.created_at
    from oauth_tokens t join oauth_apps app on app.id = t.app_id left join users u on u.id = t.user_id
    where t.digest = ${digestOf(token)}`)
}

/** Whether the application holds a token of exactly these scopes for the user: they have said yes to it before. */
export async function hasToken(
  ctx: Context,
  request: { appId: string; userId: string; scopes: readonly string[] },
): Promise<boolean> {
  const scopes = request.scopes.toSorted()
  const row = await ctx.db.maybe(sql`
    select from oauth_tokens where app_id = ${request.appId} and user_id = ${request.userId} and scopes = ${scopes}::text[] limit 1`)
  return row !== null
}

/** Revokes all tokens of a user, and codes on their way to become some: after a new password, a suspension. */
export async function revokeTokensOf(ctx: Context, userId: string): Promise<void> {
  await ctx.db.run(sql`delete from oauth_grants where user_id = ${userId} and used_at is null`)
  const rows = await ctx.db.many<{ id: string }>(sql`select id from oauth_tokens where user_id = ${userId}`)
  await revokeTokens(
    ctx,
    rows.map(({ id }) => id),
  )
}
