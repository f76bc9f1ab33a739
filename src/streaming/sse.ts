// GET /api/v1/streaming/<stream>: one stream as server-sent events. https://docs.joinmastodon.org/methods/streaming/
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { tokenOf } from '../http/auth.ts'
import { BadRequest, NotFound, Unavailable } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { checkScope, identify } from './access.ts'
import { describedChannels, findChannelAt } from './channels.ts'
import type { Hub, Listener } from './hub.ts'

/** Whoever has this many bytes waiting does not keep up, and is dropped. */
const MAX_BEHIND = 4 * 1024 * 1024

export type Sse = { close(): void }

/** Serves the streams; `heartbeat` is the time between signs of life, in milliseconds. */
export function serveEvents(app: FastifyInstance, ctx: Context, hub: Hub, { heartbeat }: { heartbeat: number }): Sse {
  const open = new Set<FastifyReply['raw']>()
  let closed = false
  const timer = setInterval(() => {
    for (const response of open) write(response, ':thump\n')
  }, heartbeat).unref()

  const health = [{ summary: 'Whether streams are served', answers: 'text/plain' }]
  app.get(
    '/api/v1/streaming/health',
    { exposeHeadRoute: false, config: { describes: health } },
    async (_request, reply) => reply.type('text/plain; charset=utf-8').send('OK'),
  )
  app.get<{ Params: { '*': string } }>(
    '/api/v1/streaming/*',
    { exposeHeadRoute: false, config: { describes: describedChannels } },
    async (request, reply) => {
      const path = request.params['*'].replace(/(?<!\/)\/+$/, '')
      if (path === '') throw new NotFound()
      const query = request.query as Record<string, unknown>
      const channel = findChannelAt(path, isTruthy(query.only_media))
      if (!channel) throw new BadRequest(message('channel_unknown'))
      if (closed) throw new Unavailable()
      const { viewer, token } = await identify(ctx, tokenOf(request))
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
    },
  )

  return {
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}

/** Takes the answer out of the framework's hands, keeping the headers that all answers have. */
function begin(request: FastifyRequest, reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack()
  const response = reply.raw
  response.on('error', (error) => request.log.debug({ err: error }, 'stream.broken'))
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'private, no-store',
    // Proxies that gather answers before they pass them on would hold events back.
    'x-accel-buffering': 'no',
  })
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
    send: (_stream, event, payload) => write(response, `event: ${event}\ndata: ${payload}\n\n`),
    end() {
      unlink()
      response.end()
    },
  }
}

function write(response: FastifyReply['raw'], text: string): void {
  if (response.writableLength > MAX_BEHIND) response.destroy()
  else if (response.writable) response.write(text)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const isTruthy = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && !/^(false|f|off|0)$/i.test(value)
