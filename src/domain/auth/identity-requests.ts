// Sign-ins at the provider that are under way, and sign-ups that follow from them. The browser's cookie has their secret.
import { createHmac } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { IdentityRequests, IdentitySignUps } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { IdentityChecks } from '../../net/identity-provider.ts'
import type { ProvenIdentity } from './identities.ts'
import { newSecret } from './tokens.ts'
import { digestOf } from './viewer.ts'

const REQUEST_MINUTES = 15
const SIGN_UP_MINUTES = 60

/** `userId`: of the user who connects the account; null for a sign-in. */
export type IdentityRequest = { next: string | null; inviteCode: string; userId: string | null }

/** `browser`: the secret in the browser's cookie, from which nonce and verifier follow. */
const checksOf = (browser: string, state: string): IdentityChecks => ({
  state,
  nonce: createHmac('sha256', browser).update(`nonce ${state}`).digest('base64url'),
  codeVerifier: createHmac('sha256', browser).update(`verifier ${state}`).digest('base64url'),
})

export async function beginIdentityRequest(
  ctx: Context,
  browser: string,
  { next, inviteCode, userId }: IdentityRequest,
): Promise<IdentityChecks> {
  const state = newSecret()
  await ctx.db.run(sql`
    insert into identity_requests (state_digest, browser_digest, next, invite_code, user_id, expires_at)
    values (${digestOf(state)}, ${digestOf(browser)}, ${next}, ${inviteCode}, ${userId},
      now() + make_interval(mins => ${REQUEST_MINUTES}::int))`)
  return checksOf(browser, state)
}

/** Null unless this browser began it, a short time ago, and it was not taken before. */
export async function takeIdentityRequest(
  ctx: Context,
  browser: string,
  state: string,
): Promise<(IdentityRequest & { checks: IdentityChecks }) | null> {
  const row = await ctx.db.maybe<Pick<IdentityRequests, 'next' | 'invite_code' | 'user_id'>>(sql`
    delete from identity_requests
    where state_digest = ${digestOf(state)} and browser_digest = ${digestOf(browser)} and expires_at > now()
    returning next, invite_code, user_id`)
  if (!row) return null
  return { next: row.next, inviteCode: row.invite_code, userId: row.user_id, checks: checksOf(browser, state) }
}

export type IdentitySignUp = { identity: ProvenIdentity; next: string | null; inviteCode: string }

/** Returns the secret for the cookie. */
export async function storeIdentitySignUp(
  ctx: Context,
  { identity, next, inviteCode }: IdentitySignUp,
): Promise<string> {
  const secret = newSecret()
  const { issuer, subject, username, displayName, email, emailVerified } = identity
  await ctx.db.run(sql`
    insert into identity_sign_ups
      (digest, issuer, subject, username, display_name, email, email_verified, next, invite_code, expires_at)
    values (${digestOf(secret)}, ${issuer}, ${subject}, ${username}, ${displayName}, ${email}, ${emailVerified}, ${next},
      ${inviteCode}, now() + make_interval(mins => ${SIGN_UP_MINUTES}::int))`)
  return secret
}

export async function findIdentitySignUp(ctx: Context, secret: string): Promise<IdentitySignUp | null> {
  const row = await ctx.db.maybe<Omit<IdentitySignUps, 'digest' | 'expires_at'>>(sql`
    select issuer, subject, username, display_name, email, email_verified, next, invite_code
    from identity_sign_ups where digest = ${digestOf(secret)} and expires_at > now()`)
  if (!row) return null
  const { issuer, subject, username, display_name: displayName, email, email_verified: emailVerified } = row
  return {
    identity: { issuer, subject, username, displayName, email, emailVerified },
    next: row.next,
    inviteCode: row.invite_code,
  }
}

/** Deletes the unfinished sign-ups of an identity in all browsers: it has an account now. */
export async function deleteIdentitySignUps(
  tx: Context,
  { issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>,
): Promise<void> {
  await tx.db.run(sql`delete from identity_sign_ups where issuer = ${issuer} and subject = ${subject}`)
}
