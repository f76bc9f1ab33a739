// OAuth access tokens, and the grants (authorisation codes) that are exchanged for them. Both are looked up by digest.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { OauthApps, OauthGrants, OauthTokens, Users } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets, seal, unseal } from '../server/secrets.ts'
import { digestOf } from './viewer.ts'
import { mayAct } from '../users/states.ts'

/** A secret of 256 bits in base64url, which URLs and headers carry unescaped. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export type TokenRequest = { appId: string; userId: string | null; scopes: readonly string[] }
export type IssuedToken = Pick<OauthTokens, 'id' | 'scopes' | 'created_at'> & { token: string }

/** `userId` null: for the application itself. An equal request returns the same token, unless that is being revoked. */
export async function issueToken(ctx: Context, request: TokenRequest): Promise<IssuedToken> {
  const { tokenKey } = await getSecrets(ctx)
  const scopes = [...request.scopes]
  // Stored in one order: requests with the same scopes in another one are equal.
  const sorted = scopes.toSorted()
  const known = await ctx.db.maybe<Pick<OauthTokens, 'id' | 'sealed' | 'created_at'>>(sql`
    select id, sealed, created_at from oauth_tokens
    where app_id = ${request.appId} and user_id is not distinct from ${request.userId} and scopes = ${sorted}::text[]
      and session_id is null
    order by id limit 1 for key share`)
  if (known) return { id: known.id, token: unseal(tokenKey, known.sealed), scopes, created_at: known.created_at }
  const token = newSecret()
  const row = await ctx.db.one<Pick<OauthTokens, 'id' | 'created_at'>>(sql`
    insert into oauth_tokens (digest, sealed, app_id, user_id, scopes)
    values (${digestOf(token)}, ${seal(tokenKey, token)}, ${request.appId}, ${request.userId}, ${sorted}::text[])
    returning id, created_at`)
  return { ...row, token, scopes }
}

export type TokenInfo = Pick<OauthTokens, 'id' | 'app_id' | 'user_id' | 'scopes' | 'created_at'> &
  Pick<OauthApps, 'client_id'> & { account_id: Users['account_id'] | null }

/** Null for an unknown or revoked token. */
export const findToken = (ctx: Context, token: string): Promise<TokenInfo | null> =>
  ctx.db.maybe<TokenInfo>(sql`
    select t.id, t.app_id, app.client_id, t.user_id, u.account_id, t.scopes, t.created_at
    from oauth_tokens t join oauth_apps app on app.id = t.app_id left join users u on u.id = t.user_id
    where t.digest = ${digestOf(token)}`)

/** The token must have exactly these scopes. The user need not consent again. */
export async function hasToken(ctx: Context, { appId, userId, scopes }: TokenRequest): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from oauth_tokens where app_id = ${appId} and user_id = ${userId} and scopes = ${scopes.toSorted()}::text[] limit 1`)
  return row !== null
}

/** Leaves out tokens of users who may not act. For connections that outlive a request. */
export async function usableTokens(ctx: Context, tokenIds: readonly string[]): Promise<Set<string>> {
  if (tokenIds.length === 0) return new Set()
  const rows = await ctx.db.many<Pick<OauthTokens, 'id'>>(sql`
    select t.id from oauth_tokens t join users u on u.id = t.user_id join accounts a on a.id = u.account_id
    where t.id = any(${tokenIds}::bigint[]) and ${mayAct}`)
  return new Set(rows.map(({ id }) => id))
}

/** With `appId`, those of sessions are left out. */
export async function tokenIdsOf(ctx: Context, userId: string, appId: string | null = null): Promise<string[]> {
  const rows = await ctx.db.many<Pick<OauthTokens, 'id'>>(sql`
    select id from oauth_tokens where user_id = ${userId}
      and (${appId}::bigint is null or (app_id = ${appId}::bigint and session_id is null))`)
  return rows.map(({ id }) => id)
}

/** The tokens that all users gave the application, and its own. */
export async function tokenIdsOfApp(ctx: Context, appId: string): Promise<string[]> {
  const rows = await ctx.db.many<Pick<OauthTokens, 'id'>>(sql`select id from oauth_tokens where app_id = ${appId}`)
  return rows.map(({ id }) => id)
}

export async function deleteTokens(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(sql`delete from oauth_tokens where id = any(${ids}::bigint[])`)
}

const GRANT_MINUTES = 10

export type NewGrant = {
  appId: string
  userId: string
  redirectUri: string
  scopes: readonly string[]
  codeChallenge: string | null
}

export async function issueGrant(ctx: Context, grant: NewGrant): Promise<string> {
  const code = newSecret()
  await ctx.db.run(sql`
    insert into oauth_grants (digest, app_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
    values (${digestOf(code)}, ${grant.appId}, ${grant.userId}, ${grant.redirectUri}, ${grant.scopes}::text[], ${grant.codeChallenge},
      now() + ${GRANT_MINUTES} * interval '1 minute')`)
  return code
}

export type Exchange = { appId: string; code: string; redirectUri: string; codeVerifier: string | null }

type Grant = Pick<OauthGrants, 'user_id' | 'redirect_uri' | 'scopes' | 'code_challenge' | 'token_id'> & {
  used: boolean
  expired: boolean
}

/** Locks the grant for its exchange. Null for a code that this application does not have. */
export const lockGrant = (tx: Context, { code, appId }: Exchange): Promise<Grant | null> =>
  tx.db.maybe<Grant>(sql`
    select user_id, redirect_uri, scopes, code_challenge, token_id, used_at is not null as used, expires_at <= now() as expired
    from oauth_grants where digest = ${digestOf(code)} and app_id = ${appId} for update`)

export const isExchangeValid = (grant: Grant, { redirectUri, codeVerifier }: Exchange): boolean =>
  !grant.expired && grant.redirect_uri === redirectUri && isVerified(grant.code_challenge, codeVerifier)

/** PKCE, S256. A verifier without a challenge may mean that an attacker removed the challenge (RFC 9700, 2.1.1). */
function isVerified(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null
  if (verifier === null) return false
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

export async function markGrantUsed(tx: Context, { code }: Exchange, tokenId: string): Promise<void> {
  await tx.db.run(sql`update oauth_grants set used_at = now(), token_id = ${tokenId} where digest = ${digestOf(code)}`)
}

export async function deleteUnusedGrants(tx: Context, userId: string, appId: string | null = null): Promise<void> {
  await tx.db.run(sql`
    delete from oauth_grants where user_id = ${userId} and app_id = coalesce(${appId}::bigint, app_id) and used_at is null`)
}
