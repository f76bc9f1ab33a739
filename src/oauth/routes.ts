import { table } from '../http/route.ts'
import { introspect, tokenInfo } from './introspect.ts'
import { serverMetadata } from './metadata.ts'
import { revoke } from './revoke.ts'
import { createToken } from './token.ts'
import { getUserInfo } from './userinfo.ts'

/** What applications call. */
export const oauthRoutes = table({
  'POST /oauth/token': createToken,
  'GET /oauth/token/info': tokenInfo,
  'POST /oauth/introspect': introspect,
  'POST /oauth/revoke': revoke,
  'GET /oauth/userinfo': getUserInfo,
  'POST /oauth/userinfo': getUserInfo,
  'GET /.well-known/oauth-authorization-server': serverMetadata,
})
