import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type App, findApp, secretMatches } from '../domain/auth/apps.ts'
import { covers, parseScopes, type Scope } from '../domain/auth/scopes.ts'
import { OAuthError } from './errors.ts'
import Type from 'typebox'

const optional = Type.Optional(Type.String())

/** Credentials in a request body, in place of HTTP Basic. */
export const ClientParams = { client_id: optional, client_secret: optional }

/** The parameters of requests about a token. The hint is ignored: there is one kind of tokens. */
export const TokenParams = { ...ClientParams, token: optional, token_type_hint: optional }

/**
 * Accepts HTTP Basic and credentials in the body (RFC 6749, 2.3.1). Null when the application does not authenticate.
 */
export async function findClient(
  ctx: Context,
  request: FastifyRequest,
  params: { client_id?: string; client_secret?: string },
): Promise<App | null> {
  const [id, secret] = basicCredentials(request.headers.authorization) ?? [params.client_id, params.client_secret]
  if (!id || !secret) return null
  const app = await findApp(ctx, id)
  return app && secretMatches(app, secret) ? app : null
}

function basicCredentials(header: string | undefined): [string, string] | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  try {
    return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))]
  } catch {
    return null
  }
}

/** `read` by default. Throws invalid_scope unless the application registered all of them. */
export function requestedScopes(app: App, text: string | undefined): Scope[] {
  const scopes = parseScopes(text)
  if (scopes === null || !scopes.every((scope) => covers(app.scopes, scope))) throw new OAuthError('invalid_scope')
  return scopes
}
