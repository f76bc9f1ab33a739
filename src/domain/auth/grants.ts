import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { issueToken, newSecret, revokeTokens, type IssuedToken } from './tokens.ts'
import { digestOf } from './viewer.ts'

/** How long an authorisation code can be exchanged: minutes. */
const LIFETIME = 10

export type NewGrant = {
  appId: string
  userId: string
  redirectUri: string
  scopes: readonly string[]
  codeChallenge: string | null
}

type Row = {
  user_id: string
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  token_id: string | null
  used: boolean
  expired: boolean
}

/** Makes an authorisation code: what a person said yes to, for the application to exchange for a token. */
export async function issueGrant(ctx: Context, grant: NewGrant): Promise<string> {
  const code = newSecret()
  await ctx.db.run(sql`
    insert into oauth_grants (digest, app_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
    values (${digestOf(code)}, ${grant.appId}, ${grant.userId}, ${grant.redirectUri}, ${grant.scopes}::text[], ${grant.codeChallenge},
      now() + ${LIFETIME} * interval '1 minute')`)
  return code
}

export type Exchange = { appId: string; code: string; redirectUri: string; codeVerifier: string | null }

/**
 * Exchanges a code for a token, once. Null when anything does not fit. A second try means that somebody else has seen the
 * code, so it also revokes what the first one gave (RFC 6749, 4.1.2).
 */
export async function exchangeGrant(ctx: Context, exchange: Exchange): Promise<IssuedToken | null> {
  const digest = digestOf(exchange.code)
  return ctx.transaction(async (tx) => {
    const grant = await tx.db.maybe<Row>(sql`
      select user_id, redirect_uri, scopes, code_challenge, token_id, used_at is not null as used, expires_at <= now() as expired
      from oauth_grants where digest = ${digest} and app_id = ${exchange.appId} for update`)
    if (!grant) return null
    if (grant.used) {
      if (grant.token_id) await revokeTokens(tx, [grant.token_id])
      return null
    }
    if (
      grant.expired ||
      grant.redirect_uri !== exchange.redirectUri ||
      !isVerified(grant.code_challenge, exchange.codeVerifier)
    )
      return null
    const token = await issueToken(tx, { appId: exchange.appId, userId: grant.user_id, scopes: grant.scopes })
    await tx.db.run(sql`update oauth_grants set used_at = now(), token_id = ${token.id} where digest = ${digest}`)
    return { ...token, scopes: grant.scopes }
  })
}

/** PKCE, S256. A verifier without a challenge is refused too: somebody took the challenge out of the request (RFC 9700, 2.1.1). */
function isVerified(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null
  if (verifier === null) return false
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
