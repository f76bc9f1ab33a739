// WebSocket at /api/v1/streaming: many streams over one connection. https://docs.joinmastodon.org/methods/streaming/#websocket
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Context, perServer } from '../context.ts'
import { errorAnswer } from '../http/errors.ts'
import { languageFor } from '../http/language.ts'
import { parseQuery } from '../http/rails-params.ts'
import { limitOther } from '../http/ratelimit.ts'
import { NotFound, Unavailable } from '../lib/errors.ts'
import { toLocalisedJson } from '../messages/message.ts'
import { identify } from './access.ts'
import type { Hub, Listener } from './hub.ts'
import { createSession } from './session.ts'

const PATH = /^\/api\/v1\/streaming(?:\/(?<rest>[^?]*))?$/
/** What clients send are short commands. */
const MAX_FRAME = 16 * 1024
/** Whoever has this many bytes waiting does not keep up, and is dropped. */
const MAX_BEHIND = 4 * 1024 * 1024
/** How long a client has to answer that a connection ends, in milliseconds. */
const GRACE = 1000

const CODES = { revoked: 1008, stopping: 1001, binary: 1003 }

type WebSockets = { close(): void }

/** Accepts WebSockets; `ping` is the time between signs of life, in milliseconds, and the time to answer one. */
export function serveWebSockets(app: FastifyInstance, ctx: Context, hub: Hub, { ping }: { ping: number }): WebSockets {
  // Asked for several subprotocols, the library answers with the first: that is where browsers put the token.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const alive = new WeakSet<WebSocket>()
  let closed = false
  const timer = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, ping).unref()

  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (closed) throw new Unavailable()
    const [path = '', search = ''] = (request.url ?? '').split('?', 2)
    const query = parseQuery(search)
    await limitOther(ctx, { ip: addressOf(ctx, request), query })
    const match = PATH.exec(path)
    if (!match) throw new NotFound()
    const { viewer, token } = await identify(ctx, tokenIn(request, query))
    if (closed) throw new Unavailable()
    hub.checkRoom(viewer.userId)
    // Older clients name the stream in the path.
    const first =
      typeof query.stream === 'string'
        ? query
        : match.groups?.rest
          ? { ...query, stream: match.groups.rest.replace(/(?<!\/)\/+$/, '').replaceAll('/', ':') }
          : null
    server.handleUpgrade(request, socket, head, (websocket) => {
      alive.add(websocket)
      websocket.on('pong', () => alive.add(websocket))
      websocket.on('error', (error) => ctx.log.debug({ err: error }, 'websocket.broken'))
      const listener = listenerOn(websocket, viewer, token, () => hub.remove(listener))
      const session = createSession(ctx, hub, listener, (text) => sendText(websocket, text))
      hub.add(listener)
      websocket.on('close', () => hub.remove(listener))
      websocket.on('message', (data, isBinary) => {
        if (isBinary) return websocket.close(CODES.binary, 'Only text frames are understood')
        // No more is read while one is worked on, so nobody can pile up work.
        websocket.pause()
        void session.receive(String(data)).finally(() => websocket.resume())
      })
      if (first) void session.subscribe(first)
    })
  }

  // Other protocols that are offered, such as h2c, are not taken up: those requests are answered as they are.
  Object.assign(app.server, {
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => /^websocket$/i.test(headers.upgrade ?? ''),
  })
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    // Who has left by now has no address to be counted by, and waits for no answer.
    if (request.socket.remoteAddress === undefined) return void socket.destroy()
    accept(request, socket, head).catch((error: unknown) => refuse(ctx, request, socket, error))
  })

  return {
    close() {
      closed = true
      clearInterval(timer)
      setTimeout(() => server.clients.forEach((socket) => socket.terminate()), GRACE).unref()
    },
  }
}

/** Authorization header, `access_token`, or the subprotocol. */
function tokenIn(request: IncomingMessage, query: Record<string, unknown>): string | null {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer) return bearer
  if (typeof query.access_token === 'string' && query.access_token !== '') return query.access_token
  return request.headers['sec-websocket-protocol']?.split(',')[0]?.trim() || null
}

function listenerOn(socket: WebSocket, viewer: Listener['viewer'], token: string, unlink: () => void): Listener {
  return {
    viewer,
    token,
    send: (stream, event, payload) => sendText(socket, JSON.stringify({ stream, event, payload })),
    end(why) {
      unlink()
      socket.close(CODES[why], why === 'revoked' ? 'The access token was revoked' : 'The server is stopping')
    },
  }
}

function sendText(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > MAX_BEHIND) socket.terminate()
  else if (socket.readyState === socket.OPEN) socket.send(text)
}

/** Answers an upgrade that is not granted as any other request. */
function refuse(ctx: Context, request: IncomingMessage, socket: Duplex, error: unknown): void {
  const { status, body, headers } = errorAnswer(error)
  if (status >= 500) ctx.log.warn({ err: error }, 'websocket.refused')
  const text = toLocalisedJson(body, languageFor(request))
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `${more.join('')}Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  )
}

const trusted = perServer((ctx) => proxyAddr.compile(ctx.config.trustedProxies))

/** Whose request it is, as Fastify's `request.ip` has it, for upgrades, which never get to be Fastify's: proxies are believed where they are trusted. */
function addressOf(ctx: Context, request: IncomingMessage): string {
  return proxyAddr(request, trusted(ctx))
}
