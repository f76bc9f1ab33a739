import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { App } from '../domain/auth/apps.ts'
import type { IssuedToken } from '../domain/auth/tokens.ts'
import { getSecrets } from '../domain/server/secrets.ts'
import { Id, nullable } from './schema.ts'

const members = {
  id: Id,
  name: Type.String(),
  website: nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  /** Deprecated: `redirect_uris` joined by line breaks. */
  redirect_uri: Type.String(),
  vapid_key: Type.String(),
}

/** https://docs.joinmastodon.org/entities/Application/ */
export const Application = Type.Object(members, { $id: 'Application' })
export type Application = Static<typeof Application>

/** https://docs.joinmastodon.org/entities/Application/#CredentialApplication. The secret is sent once. */
export const CredentialApplication = Type.Object(
  { ...members, client_id: Type.String(), client_secret: Type.String(), client_secret_expires_at: Type.Integer() },
  { $id: 'CredentialApplication' },
)
export type CredentialApplication = Static<typeof CredentialApplication>

export async function presentApplication(ctx: Context, app: App): Promise<Application> {
  const { vapid } = await getSecrets(ctx)
  return {
    id: app.id,
    name: app.name,
    website: app.website,
    scopes: app.scopes,
    redirect_uris: app.redirect_uris,
    redirect_uri: app.redirect_uris.join('\n'),
    vapid_key: vapid.publicKey,
  }
}

/** https://docs.joinmastodon.org/entities/Token/ */
export const Token = Type.Object(
  { access_token: Type.String(), token_type: Type.Literal('Bearer'), scope: Type.String(), created_at: Type.Integer() },
  { $id: 'Token' },
)
export type Token = Static<typeof Token>

export function presentToken({ token, scopes, created_at }: IssuedToken): Token {
  return {
    access_token: token,
    token_type: 'Bearer',
    scope: scopes.join(' '),
    created_at: Math.floor(created_at.getTime() / 1000),
  }
}
