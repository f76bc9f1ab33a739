import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { findToken } from '../domain/auth/tokens.ts'
import { findCaller, type Viewer } from '../domain/auth/viewer.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { nullable } from '../entities/schema.ts'
import { tokenOf } from '../http/auth.ts'
import { route } from '../http/route.ts'
import { Unauthorized } from '../lib/errors.ts'
import { findClient, TokenParams } from './client.ts'
import { asOAuthError, OAuthError } from './errors.ts'

const unixTime = (date: Date): number => Math.floor(date.getTime() / 1000)

/** RFC 7662. Tokens do not expire, so there is no `exp`. */
const Introspection = Type.Union([
  Type.Object({
    active: Type.Literal(true),
    scope: Type.String(),
    client_id: Type.String(),
    token_type: Type.Literal('Bearer'),
    iat: Type.Integer(),
  }),
  Type.Object({ active: Type.Literal(false) }),
])

export const introspect = route({
  summary: 'Describes a token of the application',
  auth: 'none',
  alwaysOpen: true,
  params: TokenParams,
  returns: Introspection,
  reword: asOAuthError,
  async handle({ ctx, params, request }) {
    const client = await findClient(ctx, request, params)
    const bearer = client ? null : tokenOf(ctx, request)
    const appId = client?.id ?? (bearer === null ? null : (await findToken(ctx, bearer))?.app_id)
    if (!appId) throw new OAuthError('invalid_client')
    const token = params.token ? await findToken(ctx, params.token) : null
    // The token of another application, or of a user who may not act, is reported like an unknown one.
    if (token?.app_id !== appId || !(await isUsable(ctx, params.token))) return { active: false as const }
    return {
      active: true as const,
      scope: token.scopes.join(' '),
      client_id: token.client_id,
      token_type: 'Bearer' as const,
      iat: unixTime(token.created_at),
    }
  },
})

const isUsable = async (ctx: Context, token = ''): Promise<boolean> =>
  (await findCaller(ctx, token))?.state === 'usable'

const TokenInfo = Type.Object({
  resource_owner_id: nullable(Type.String()),
  scope: Type.Array(Type.String()),
  expires_in: Type.Null(),
  application: Type.Object({ uid: Type.String() }),
  created_at: Type.Integer(),
})

export const tokenInfo = route({
  summary: 'The token of this request',
  auth: 'app',
  alwaysOpen: true,
  evenUnconfirmed: true,
  returns: TokenInfo,
  async handle({ ctx, request }) {
    const token = await findToken(ctx, tokenOf(ctx, request) ?? '')
    if (!token) throw new Unauthorized()
    return {
      resource_owner_id: token.account_id,
      scope: token.scopes,
      expires_in: null,
      application: { uid: token.client_id },
      created_at: unixTime(token.created_at),
    }
  },
})

/** The claims of OpenID Connect that the `profile` scope opens. */
const UserInfo = Type.Object(
  {
    iss: Type.String(),
    sub: Type.String(),
    name: Type.String(),
    preferred_username: Type.String(),
    profile: Type.String(),
    picture: Type.String(),
  },
  { $id: 'UserInfo' },
)
type UserInfo = Static<typeof UserInfo>

export const getUserInfo = route({
  summary: 'The account of the token, as OpenID Connect describes it',
  scope: 'profile',
  returns: UserInfo,
  handle: ({ ctx, viewer }) => userInfo(ctx, viewer),
})

async function userInfo(ctx: Context, { accountId }: Viewer): Promise<UserInfo> {
  const account = await readAccountEntity(ctx, accountId)
  return {
    iss: `${ctx.config.baseUrl}/`,
    sub: account.uri,
    name: account.display_name || account.username,
    preferred_username: account.username,
    profile: account.url ?? account.uri,
    picture: account.avatar,
  }
}
