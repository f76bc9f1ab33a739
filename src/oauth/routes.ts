import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { table } from '../http/route.ts'
import { registerAuthorize } from './authorize.ts'
import { registerAuthorizedApplications } from '../web/authorized-applications.ts'
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

/** The pages on which people decide about applications. */
export function registerOAuth(app: FastifyInstance, ctx: Context): void {
  registerAuthorize(app, ctx)
  registerAuthorizedApplications(app, ctx)
}
