// GET and POST /oauth/userinfo: the account behind a token, as OpenID Connect words it.
import type { Context } from '../context.ts'
import type { Viewer } from '../domain/auth/viewer.ts'
import { readAccountEntity } from '../entities/account-presenter.ts'
import { UserInfo } from '../entities/credential-account.ts'
import { route } from '../http/route.ts'

export const getUserInfo = route({
  summary: 'The account behind the token, for signing in elsewhere',
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
