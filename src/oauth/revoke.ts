// POST /oauth/revoke: a token stops working, at once and for good.
import { revokeTokens } from '../actions/auth/tokens.ts'
import Type from 'typebox'
import { findToken } from '../domain/auth/tokens.ts'
import { Empty } from '../entities/schema.ts'
import { route } from '../http/route.ts'
import { ClientParams, findClient } from './client.ts'
import { asOAuthError, OAuthError } from './errors.ts'

export const revoke = route({
  summary: 'Revokes an access token of the application',
  auth: 'none',
  alwaysOpen: true,
  params: {
    ...ClientParams,
    token: Type.Optional(Type.String()),
    token_type_hint: Type.Optional(Type.String()),
  },
  returns: Empty,
  reword: asOAuthError,
  async handle({ ctx, params, request }) {
    const app = await findClient(ctx, request, params)
    if (!app) throw new OAuthError('unauthorized_client')
    const token = params.token ? await findToken(ctx, params.token) : null
    if (!token) return {}
    if (token.app_id !== app.id) throw new OAuthError('unauthorized_client')
    await revokeTokens(ctx, [token.id])
    return {}
  },
})
