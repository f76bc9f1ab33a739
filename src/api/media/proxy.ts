// GET /media_proxy/:id/:size: a medium of another server, fetched when somebody first looks and kept from then on.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { FetchError } from '../../ap/fetch-error.ts'
import { isTemporary, keepsMediaOf } from '../../domain/media/download.ts'
import { isProxySignature } from '../../domain/media/proxy-url.ts'
import { cacheMedium, findRemoteMedium, type RemoteMedium } from '../../domain/media/remote.ts'
import { addressKey, limitUse } from '../../http/ratelimit.ts'
import { AppError, NotFound, Unavailable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'

type Request = { Params: { id: string; size: string }; Querystring: { sig?: unknown } }

export function registerMediaProxy(app: FastifyInstance, ctx: Context): void {
  app.get<Request>('/media_proxy/:id/:size', async (request, reply) => {
    const { id, size } = request.params
    const { sig } = request.query
    if (
      !isId(id) ||
      (size !== 'original' && size !== 'small') ||
      typeof sig !== 'string' ||
      !isProxySignature(ctx, id, sig)
    )
      throw new NotFound()
    const medium = await findRemoteMedium(ctx, id)
    if (!medium) throw new NotFound()
    if (medium.file_key === null) await limitUse(ctx, 'media-proxy', addressKey(request.ip))
    const target = await locate(ctx, medium, size)
    return reply
      .header('cache-control', 'private, max-age=600')
      .header('access-control-allow-origin', '*')
      .redirect(target, 302)
  })
}

async function locate(ctx: Context, medium: RemoteMedium, size: 'original' | 'small'): Promise<string> {
  const kept = medium.file_key === null && medium.type === 'image' ? await fetchNow(ctx, medium) : medium
  const key = size === 'small' ? (kept?.preview_key ?? kept?.file_key) : kept?.file_key
  if (key) return ctx.files.url(key)
  // Sound and film are not kept here: whoever plays them asks the server they come from.
  if (
    medium.type === 'image' ||
    medium.remote_url === null ||
    !(await keepsMediaOf(ctx, medium.domain, medium.remote_url))
  )
    throw new NotFound()
  return medium.remote_url
}

async function fetchNow(ctx: Context, medium: RemoteMedium): ReturnType<typeof cacheMedium> {
  try {
    return await cacheMedium(ctx, medium)
  } catch (error) {
    if (error instanceof FetchError && isTemporary(error))
      throw new Unavailable('Remote data could not be fetched', error)
    if (error instanceof FetchError || (error instanceof AppError && error.status < 500)) throw new NotFound()
    throw error
  }
}
