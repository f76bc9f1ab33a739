import type { Context } from '../../context.ts'
import {
  deleteTokens,
  deleteUnusedGrants,
  isExchangeValid,
  issueGrant,
  issueToken,
  lockGrant,
  markGrantUsed,
  tokenIdsOf,
  type Exchange,
  type IssuedToken,
  type NewGrant,
  type TokenRequest,
} from '../../domain/auth/tokens.ts'
import { lockSession } from '../../domain/auth/sessions.ts'
import { useProof, type SignInProof } from '../../domain/auth/sign-in.ts'

/** An authorisation code. Null when the session has ended: a new password, which revokes codes, would miss this one. */
export const issueCode = (ctx: Context, sessionId: string, grant: NewGrant): Promise<string | null> =>
  ctx.transaction(async (tx) => ((await lockSession(tx, sessionId)) ? issueGrant(tx, grant) : null))

/**
 * Exchanges an authorisation code for a token, once; null when the exchange is not valid. A second exchange means that
 * the code was stolen, so it also revokes the token of the first one (RFC 6749, 4.1.2).
 */
export const exchangeGrant = (ctx: Context, exchange: Exchange): Promise<IssuedToken | null> =>
  ctx.transaction(async (tx) => {
    const grant = await lockGrant(tx, exchange)
    if (!grant) return null
    if (grant.used) {
      if (grant.token_id) await revokeTokens(tx, [grant.token_id])
      return null
    }
    if (!isExchangeValid(grant, exchange)) return null
    const token = await issueToken(tx, { appId: exchange.appId, userId: grant.user_id, scopes: grant.scopes })
    await markGrantUsed(tx, exchange, token.id)
    return token
  })

/** Null when a new password has ended the proof. */
export const exchangePassword = (
  ctx: Context,
  request: TokenRequest & { userId: string },
  proof: SignInProof,
): Promise<IssuedToken | null> =>
  ctx.transaction(async (tx) => ((await useProof(tx, request.userId, proof)) ? issueToken(tx, request) : null))

/** The tokens stop working at once, and their streams close. */
export async function revokeTokens(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.transaction(async (tx) => {
    await deleteTokens(tx, ids)
    tx.publish({ type: 'tokens.gone', tokenIds: [...ids] })
  })
}

/** Also revokes unused authorisation codes. For a new password or a suspension. */
export async function revokeTokensOf(ctx: Context, userId: string): Promise<void> {
  await deleteUnusedGrants(ctx, userId)
  await revokeTokens(ctx, await tokenIdsOf(ctx, userId))
}

/** Also revokes unused authorisation codes. Returns false when the application has no token of the user. */
export const revokeApp = (ctx: Context, userId: string, appId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    await deleteUnusedGrants(tx, userId, appId)
    const tokens = await tokenIdsOf(tx, userId, appId)
    await revokeTokens(tx, tokens)
    return tokens.length > 0
  })
