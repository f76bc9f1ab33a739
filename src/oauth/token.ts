import { exchangeGrant, exchangePassword, revokeTokens } from '../actions/auth/tokens.ts'
import type { Context } from '../context.ts'
import type { App } from '../domain/auth/apps.ts'
import { type IssuedToken, findToken, issueToken } from '../domain/auth/tokens.ts'
import { signIn } from '../domain/auth/sign-in.ts'
import { hasSecondFactor } from '../domain/auth/two-factor.ts'
import { Token, presentToken } from '../entities/application.ts'
import { Empty } from '../entities/schema.ts'
import { limitSignIn } from '../http/sign-in-limits.ts'
import { route } from '../http/route.ts'
import { ClientParams, findClient, requestedScopes, TokenParams } from './client.ts'
import { OAuthError, asOAuthError, missingParameter } from './errors.ts'
import Type, { type Static } from 'typebox'

const optional = Type.Optional(Type.String())

const GrantParams = Type.Object({
  grant_type: optional,
  ...ClientParams,
  code: optional,
  redirect_uri: optional,
  code_verifier: optional,
  scope: optional,
  username: optional,
  password: optional,
})
type Params = Static<typeof GrantParams>

export const createToken = route({
  summary: 'Exchanges an authorisation code, or client credentials, for an access token',
  auth: 'none',
  alwaysOpen: true,
  params: GrantParams.properties,
  returns: Token,
  reword: asOAuthError,
  async handle({ ctx, params, request, reply }) {
    void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    if (!params.grant_type) throw missingParameter('grant_type')
    const app = await findClient(ctx, request, params)
    if (!app) throw new OAuthError('invalid_client')
    return presentToken(await issueByGrantType(ctx, app, params, request.ip))
  },
})

async function issueByGrantType(ctx: Context, app: App, params: Params, ip: string): Promise<IssuedToken> {
  const { grant_type: type } = params
  if (type === 'authorization_code') return exchange(ctx, app, params)
  if (type === 'client_credentials') {
    const scopes = requestedScopes(app, params.scope)
    return issueToken(ctx, { appId: app.id, userId: null, scopes })
  }
  if (type === 'password' && ctx.config.oauthPasswordGrant) return fromPassword(ctx, app, params, ip)
  throw new OAuthError('unsupported_grant_type')
}

async function exchange(ctx: Context, app: App, params: Params): Promise<IssuedToken> {
  if (!params.code) throw missingParameter('code')
  if (!params.redirect_uri) throw missingParameter('redirect_uri')
  const token = await exchangeGrant(ctx, {
    appId: app.id,
    code: params.code,
    redirectUri: params.redirect_uri,
    codeVerifier: params.code_verifier ?? null,
  })
  if (!token) throw new OAuthError('invalid_grant')
  return token
}

async function fromPassword(ctx: Context, app: App, params: Params, ip: string): Promise<IssuedToken> {
  if (!params.username) throw missingParameter('username')
  if (!params.password) throw missingParameter('password')
  const scopes = requestedScopes(app, params.scope)
  await limitSignIn(ctx, ip, params.username)
  const found = await signIn(ctx, params.username, params.password)
  if (found?.state !== 'usable') throw new OAuthError('invalid_grant')
  // A password alone must not replace the second factor.
  if (await hasSecondFactor(ctx, found.userId)) throw new OAuthError('invalid_grant')
  const token = await exchangePassword(ctx, { appId: app.id, userId: found.userId, scopes }, found)
  if (!token) throw new OAuthError('invalid_grant')
  return token
}

export const revoke = route({
  summary: 'Revokes an access token of the application',
  auth: 'none',
  alwaysOpen: true,
  params: TokenParams,
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
