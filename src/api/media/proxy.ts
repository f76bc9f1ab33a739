// GET /media_proxy/… hides the addresses of readers from other servers. It caches images, covers and emojis at the first
// request, and streams video and audio.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import {
  type ProxiedSize,
  type RemoteAttachment,
  cacheAttachment,
  emojiProxyName,
  findRemoteAttachment,
  mediaProxyName,
} from '../../domain/media/remote.ts'
import { getRemoteEmoji } from '../../domain/media/remote-emojis.ts'
import { isSignature } from '../../domain/server/secrets.ts'
import { addressKey, limitUse } from '../../http/ratelimit.ts'
import { Invalid, NotFound, Unavailable } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { isId } from '../../lib/ids.ts'
import { streamRemoteMedia } from './stream-remote.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'

type AttachmentRequest = { Params: { id: string; size: string }; Querystring: { sig?: unknown } }
type EmojiRequest = { Params: { variant: string }; Querystring: { url?: unknown; domain?: unknown; sig?: unknown } }

export function registerMediaProxy(app: FastifyInstance, ctx: Context): void {
  app.get<EmojiRequest>('/media_proxy/emojis/:variant', async (request, reply) => {
    const { url, domain, sig } = request.query
    const { variant } = request.params
    if (variant !== 'original' && variant !== 'static') throw new NotFound()
    if (typeof url !== 'string' || typeof domain !== 'string' || typeof sig !== 'string') throw new NotFound()
    if (!isSignature(ctx, emojiProxyName(url, domain), sig)) throw new NotFound()
    const admit = (): Promise<void> => limitUse(ctx, 'emoji-proxy', addressKey(request.ip))
    const emoji = await fetching(() => getRemoteEmoji(ctx, { url, domain }, admit))
    if (!emoji) throw new NotFound()
    const key = variant === 'static' ? emoji.static_key : emoji.image_key
    return redirectTo(reply, ctx.files.url(key), 'public, max-age=86400')
  })
  app.get<AttachmentRequest>('/media_proxy/:id/:size', async (request, reply) => {
    const { id, size } = request.params
    const { sig } = request.query
    if (!isId(id) || (size !== 'original' && size !== 'small') || typeof sig !== 'string') throw new NotFound()
    if (!isSignature(ctx, mediaProxyName(id), sig)) throw new NotFound()
    const attachment = await findRemoteAttachment(ctx, id)
    if (!attachment) throw new NotFound()
    // Only images are cached in both sizes. The small size of others is their cover.
    const key = size === 'small' && attachment.type !== 'image' ? attachment.preview_key : attachment.file_key
    if (key === null && size === 'original' && attachment.type !== 'image') {
      await limitUse(ctx, 'video-proxy', addressKey(request.ip))
      return fetching(() => streamRemoteMedia(ctx, request, reply, attachment))
    }
    if (key === null) await limitUse(ctx, 'media-proxy', addressKey(request.ip))
    const cached = key === null ? await fetching(() => cacheAttachment(ctx, attachment)) : attachment
    return redirectTo(reply, addressOf(ctx, cached, size), 'private, max-age=600')
  })
}

const redirectTo = (reply: FastifyReply, address: string, cache: string): FastifyReply =>
  reply.header('cache-control', cache).header('access-control-allow-origin', '*').redirect(address, 302)

type Cached = Pick<RemoteAttachment, 'file_key' | 'preview_key'> | null

function addressOf(ctx: Context, cached: Cached, size: ProxiedSize): string {
  const key = size === 'small' ? (cached?.preview_key ?? cached?.file_key) : cached?.file_key
  if (!key) throw new NotFound()
  return ctx.files.url(key)
}

/** 503 for temporary errors of remote servers, 404 for others. */
async function fetching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FetchError && isTemporary(error)) throw new Unavailable(message('remote_unavailable'), error)
    if (error instanceof FetchError || error instanceof Invalid) throw new NotFound()
    throw error
  }
}
