import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../context.ts'
import { findApp, secretMatches, type App } from '../domain/auth/apps.ts'

/** How an application names itself in a body; HTTP Basic does as well. */
export const ClientParams = { client_id: Type.Optional(Type.String()), client_secret: Type.Optional(Type.String()) }

/** The application that makes a request, if it proves to be it: with HTTP Basic or in the body (RFC 6749, 2.3.1). */
export async function findClient(
  ctx: Context,
  request: FastifyRequest,
  params: { client_id?: string; client_secret?: string },
): Promise<App | null> {
  const [id, secret] = basicCredentials(request.headers.authorization) ?? [params.client_id, params.client_secret]
  if (!id || !secret) return null
  const app = await findApp(ctx, id)
  return app && secretMatches(app, secret) ? app : null
}

function basicCredentials(header: string | undefined): [string, string] | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  try {
    return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))]
  } catch {
    return null
  }
}
