import Type, { type Static } from 'typebox'
import type { IssuedToken } from '../domain/auth/tokens.ts'

/** https://docs.joinmastodon.org/entities/Token/ */
export const Token = Type.Object(
  { access_token: Type.String(), token_type: Type.Literal('Bearer'), scope: Type.String(), created_at: Type.Integer() },
  { $id: 'Token' },
)
export type Token = Static<typeof Token>

/** Presents a token to the application it was made for. */
export function presentToken({ token, scopes, created_at }: IssuedToken): Token {
  return {
    access_token: token,
    token_type: 'Bearer',
    scope: scopes.join(' '),
    created_at: Math.floor(created_at.getTime() / 1000),
  }
}
