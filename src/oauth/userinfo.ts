// GET and POST /oauth/userinfo: the person behind a token, as OpenID Connect words it.
import type { Context } from '../context.ts'
import type { Viewer } from '../domain/auth/viewer.ts'
import type { Account } from '../entities/account.ts'
import { presentAccount } from '../entities/account-presenter.ts'
import { UserInfo } from '../entities/user-info.ts'
import { route } from '../http/route.ts'

const options = {
  summary: 'The person behind the token, for signing in elsewhere',
  scope: 'profile',
  returns: UserInfo,
  handle: ({ ctx, viewer }: { ctx: Context; viewer: Viewer }) => userInfo(ctx, viewer),
} as const

export const getUserInfo = route('GET /oauth/userinfo', options)
export const postUserInfo = route('POST /oauth/userinfo', options)

async function userInfo(ctx: Context, { accountId }: Viewer): Promise<UserInfo> {
  const account = JSON.parse((await presentAccount(ctx, accountId)).toString()) as Account
  return {
    iss: `${ctx.config.baseUrl}/`,
    sub: account.uri,
    name: account.display_name || account.username,
    preferred_username: account.username,
    profile: account.url ?? account.uri,
    picture: account.avatar,
  }
}
