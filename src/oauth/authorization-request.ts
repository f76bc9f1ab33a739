import type { Context } from '../context.ts'
import { findApp, type App } from '../domain/auth/apps.ts'
import type { Scope } from '../domain/auth/scopes.ts'
import { textParam } from '../html/form-page.ts'
import { message } from '../messages/message.ts'
import { missingParameter, OAuthError } from './errors.ts'
import { requestedScopes } from './client.ts'

export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

/** The sign-in and consent pages pass these parameters on unchanged. */
export const REQUEST_PARAMS = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const
export type RequestParams = { [Name in (typeof REQUEST_PARAMS)[number]]?: string }

/** Where the response goes: an address that the application registered, compared byte for byte. */
export type RedirectTarget = { app: App; redirectUri: string; state: string | undefined; mode: ResponseMode }

export type AuthorizationRequest = { scopes: Scope[]; codeChallenge: string | null }

/** Empty parameters count as absent. */
export function requestParams(sent: unknown): RequestParams {
  return Object.fromEntries(
    REQUEST_PARAMS.map((name) => [name, textParam(sent, name)]).filter(([, value]) => value !== ''),
  )
}

/** Throws OAuthError, which may only be shown: there is no verified address to send it to. */
export async function findRedirectTarget(ctx: Context, params: RequestParams): Promise<RedirectTarget> {
  if (params.client_id === undefined) throw missingParameter('client_id')
  const app = await findApp(ctx, params.client_id)
  if (!app) throw new OAuthError('invalid_client')
  const redirectUri = params.redirect_uri
  if (redirectUri === undefined) throw missingParameter('redirect_uri')
  if (!app.redirect_uris.includes(redirectUri)) throw new OAuthError('invalid_redirect_uri')
  const mode = RESPONSE_MODES.find((known) => known === params.response_mode) ?? 'query'
  return { app, redirectUri, state: params.state, mode }
}

/** Throws OAuthError, which is sent to the application. */
export function parseAuthorizationRequest(app: App, params: RequestParams): AuthorizationRequest {
  if (params.response_type === undefined) throw missingParameter('response_type')
  if (params.response_type !== 'code') throw new OAuthError('unsupported_response_type')
  if (params.response_mode !== undefined && !RESPONSE_MODES.some((known) => known === params.response_mode))
    throw new OAuthError('invalid_request', message('oauth_unsupported_response_mode'))
  return { scopes: requestedScopes(app, params.scope), codeChallenge: readChallenge(params) }
}

/** PKCE (RFC 7636) with S256, or none. The method `plain`, which is also the default, protects nothing (RFC 9700, 2.1.1). */
function readChallenge({ code_challenge: challenge, code_challenge_method: method }: RequestParams): string | null {
  if (challenge === undefined && method === undefined) return null
  if (method !== 'S256') throw new OAuthError('invalid_request', message('oauth_challenge_method'))
  if (challenge === undefined || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', message('oauth_challenge'))
  return challenge
}
