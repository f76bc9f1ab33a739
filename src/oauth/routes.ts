import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { registerAuthorize } from './authorize.ts'
import { registerAuthorizedApplications } from '../web/authorized-applications.ts'
import { introspect, tokenInfo } from './introspect.ts'
import { serverMetadata } from './metadata.ts'
import { revoke } from './revoke.ts'
import { createToken } from './token.ts'
import { getUserInfo, postUserInfo } from './userinfo.ts'

/** What applications call. */
export const oauthRoutes: readonly Route[] = [
  createToken,
  getUserInfo,
  introspect,
  postUserInfo,
  revoke,
  serverMetadata,
  tokenInfo,
]

/** The pages on which people decide about applications. */
export function registerOAuth(app: FastifyInstance, ctx: Context): void {
  registerAuthorize(app, ctx)
  registerAuthorizedApplications(app, ctx)
}
