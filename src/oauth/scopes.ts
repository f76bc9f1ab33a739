import type { App } from '../domain/auth/apps.ts'
import { covers, parseScopes } from '../domain/auth/scopes.ts'
import { OAuthError } from './errors.ts'

/** The scopes that an application asks for, which must be among those it registered; `read` unless given. Throws invalid_scope. */
export function requestedScopes(app: App, text: string | undefined): string[] {
  const scopes = parseScopes(text)
  if (scopes === null || !scopes.every((scope) => covers(app.scopes, scope))) throw new OAuthError('invalid_scope')
  return scopes
}
