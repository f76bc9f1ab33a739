// GET /api/v1/apps/verify_credentials: does my token work, and whose is it?
import { getApp } from '../../domain/auth/apps.ts'
import { Application, presentApplication } from '../../entities/application.ts'
import { route } from '../../http/route.ts'

export const verifyAppCredentials = route({
  summary: 'The application of the token',
  auth: 'app',
  alwaysOpen: true,
  returns: Application,
  handle: async ({ ctx, caller }) => presentApplication(ctx, await getApp(ctx, caller.token.appId)),
})
