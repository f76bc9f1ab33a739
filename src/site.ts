// The endpoints and pages that web processes serve besides streams. Other processes do not load this module.
import type { FastifyInstance } from 'fastify'
import { registerDocs } from './api/docs/routes.ts'
import { registerMediaProxy } from './api/media/proxy.ts'
import { routes } from './api/routes.ts'
import type { Context } from './context.ts'
import { isWithheld } from './domain/accounts/withheld-files.ts'
import { registerFederation } from './federation/routes.ts'
import { serveFiles } from './http/files.ts'
import { registerAuthorize } from './oauth/authorize.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { showConsent } from './web/consent.ts'
import { registerPages } from './web/routes.ts'

export const siteRoutes = [...routes, ...oauthRoutes]

/** Adds documentation, files, pages and federation to an app with `siteRoutes`. */
export function registerSite(app: FastifyInstance, ctx: Context): void {
  registerDocs(app, ctx, siteRoutes)
  serveFiles(app, ctx.files, (key) => isWithheld(ctx, key))
  registerMediaProxy(app, ctx)
  registerAuthorize(app, ctx, showConsent)
  registerPages(app, ctx)
  registerFederation(app, ctx)
}
