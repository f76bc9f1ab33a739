// GET /api/v1/streaming/<stream>: one stream as server-sent events. https://docs.joinmastodon.org/methods/streaming/
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { tokenOf } from '../http/auth.ts'
import { isTrue } from '../http/coerce.ts'
import { BadRequest, NotFound, Unavailable } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { authenticateStream, checkScope, reloadViewer } from './access.ts'
import { describedChannels, findChannelAt } from './channels.ts'
import { type Encode, type Hub, type Listener, MAX_UNSENT_BYTES } from './hub.ts'

/** Sends a comment every `heartbeat` milliseconds, so that proxies keep the connections open. */
export function serveEvents(
  app: FastifyInstance,
  ctx: Context,
  hub: Hub,
  { heartbeat }: { heartbeat: number },
): { close(): void } {
  const open = new Set<FastifyReply['raw']>()
  let closed = false
  const timer = setInterval(() => {
    for (const response of open) write(response, ':thump\n')
  }, heartbeat).unref()

  const health = [{ summary: 'Whether streams are served', contentType: 'text/plain' }]
  app.get('/api/v1/streaming/health', { config: { describes: health } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('OK'),
  )
  app.get<{ Params: { '*': string } }>(
    '/api/v1/streaming/*',
    { exposeHeadRoute: false, config: { describes: describedChannels } },
    async (request, reply) => {
      const path = request.params['*'].replace(/(?<!\/)\/+$/, '')
      if (path === '') throw new NotFound()
      const query = request.query as Record<string, unknown>
      const channel = findChannelAt(path, isTrue(textOf(query.only_media) ?? ''))
      if (!channel) throw new BadRequest(message('channel_unknown'))
      if (closed) throw new Unavailable()
      const { viewer, token } = await authenticateStream(ctx, tokenOf(ctx, request))
      checkScope(channel, viewer)
      const { topic, stream } = await channel.open(ctx, viewer, { tag: textOf(query.tag), list: textOf(query.list) })
      hub.checkRoom(viewer.userId)
      const response = begin(request, reply)
      if (closed) return void response.end()
      const listener = listenerOn(response, viewer, token, () => hub.remove(listener))
      open.add(response)
      response.once('close', () => {
        open.delete(response)
        hub.remove(listener)
      })
      hub.add(listener)
      hub.subscribe({ listener, topic, stream })
      await reloadViewer(ctx, listener)
    },
  )

  return {
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}

/** Takes the response over from the framework, with the headers that all responses have. */
function begin(request: FastifyRequest, reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack()
  const response = reply.raw
  response.on('error', (error) => request.log.debug({ err: error }, 'stream.broken'))
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'private, no-store',
    // Proxies that buffer responses would delay events.
    'x-accel-buffering': 'no',
  })
  // No empty line follows a comment: Mastodon.py takes it for an event without a name, and ends the stream.
  response.write(':)\n')
  return response
}

function listenerOn(
  response: FastifyReply['raw'],
  viewer: Listener['viewer'],
  token: string,
  unlink: () => void,
): Listener {
  return {
    viewer,
    token,
    encode,
    send: (bytes) => write(response, bytes),
    end() {
      unlink()
      response.end()
    },
  }
}

const encode: Encode = (_stream, event, payload) => Buffer.from(`event: ${event}\ndata: ${payload}\n\n`)

function write(response: FastifyReply['raw'], text: string | Buffer): void {
  if (response.writableLength > MAX_UNSENT_BYTES) response.destroy()
  else if (response.writable) response.write(text)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
