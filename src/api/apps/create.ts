// POST /api/v1/apps: an application makes itself known.
import Type from 'typebox'
import { registerApp } from '../../domain/auth/app-registration.ts'
import { CredentialApplication, presentApplication } from '../../entities/application.ts'
import { route } from '../../http/route.ts'

export const createApp = route({
  summary: 'Registers an application',
  auth: 'none',
  alwaysOpen: true,
  rate: 'apps',
  params: {
    client_name: Type.Optional(Type.String()),
    redirect_uris: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
    scopes: Type.Optional(Type.String()),
    website: Type.Optional(Type.String()),
  },
  returns: CredentialApplication,
  async handle({ ctx, params }) {
    const app = await registerApp(ctx, {
      name: params.client_name ?? '',
      redirectUris: [params.redirect_uris ?? []].flat(),
      scopes: params.scopes,
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
