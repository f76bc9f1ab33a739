import { getApp, registerApp } from '../domain/auth/apps.ts'
import { Application, CredentialApplication, presentApplication } from '../entities/application.ts'
import { route } from '../http/route.ts'
import Type from 'typebox'

export const createApp = route({
  summary: 'Register an application',
  auth: 'none',
  alwaysOpen: true,
  rate: 'apps',
  params: {
    client_name: Type.Optional(Type.String()),
    redirect_uris: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
    // A list counts as absent, as in Mastodon.
    scopes: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    website: Type.Optional(Type.String()),
  },
  returns: CredentialApplication,
  async handle({ ctx, params }) {
    const app = await registerApp(ctx, {
      name: params.client_name ?? '',
      redirectUris: [params.redirect_uris ?? []].flat(),
      scopes: typeof params.scopes === 'string' ? params.scopes : undefined,
      website: params.website ?? null,
    })
    return {
      ...(await presentApplication(ctx, app)),
      client_id: app.client_id,
      client_secret: app.client_secret,
      client_secret_expires_at: 0,
    }
  },
})

export const verifyAppCredentials = route({
  summary: 'The application of the token',
  auth: 'app',
  alwaysOpen: true,
  returns: Application,
  handle: async ({ ctx, caller }) => presentApplication(ctx, await getApp(ctx, caller.token.appId)),
})
