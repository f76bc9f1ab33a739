// WebSocket at /api/v1/streaming: many streams over one connection. https://docs.joinmastodon.org/methods/streaming/#websocket
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Context, perServer } from '../context.ts'
import { catchUpAndCheckAccess } from '../http/access.ts'
import { bearerIn } from '../http/auth.ts'
import { isOwnOrigin, readTokenCookie } from '../http/cookies.ts'
import { errorAnswer, statusLine } from '../http/errors.ts'
import { languageFor } from '../http/language.ts'
import { parseQuery } from '../http/rails-params.ts'
import { limitOther } from '../http/ratelimit.ts'
import { NotFound, Unauthorized, Unavailable } from '../lib/errors.ts'
import { toLocalisedJson } from '../messages/message.ts'
import { authenticateStream, reloadViewer } from './access.ts'
import { ClientSubscriptions } from './client-subscriptions.ts'
import { type Encode, type Hub, type Listener, MAX_UNSENT_BYTES } from './hub.ts'

const PATH = /^\/api\/v1\/streaming(?:\/(?<rest>[^?]*))?$/
/** Bytes of a frame from a client: frames are short commands. */
const MAX_FRAME = 16 * 1024
/** Milliseconds that a client has to answer a closing handshake. */
const CLOSE_TIMEOUT_MS = 1000

const CODES = { revoked: 1008, stopping: 1001, binary: 1003 }

/** Accepts WebSockets. Every `ping` milliseconds, pings the clients, and disconnects those that did not answer the last one. */
export function serveWebSockets(
  app: FastifyInstance,
  ctx: Context,
  hub: Hub,
  { ping }: { ping: number },
): { close(): void } {
  const sockets = new WebSockets(ctx, hub, ping)
  // Upgrades to other protocols, such as h2c, are ignored: those requests are answered as ordinary ones.
  Object.assign(app.server, {
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => /^websocket$/i.test(headers.upgrade ?? ''),
  })
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    // The client has disconnected: its address is gone, and no response is needed.
    if (request.socket.remoteAddress === undefined) return void socket.destroy()
    sockets.accept(request, socket, head).catch((error: unknown) => refuse(ctx, request, socket, error))
  })
  return { close: () => sockets.close() }
}

class WebSockets {
  readonly #ctx: Context
  readonly #hub: Hub
  // Of several subprotocols, the library accepts the first: browsers put the token there.
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    perMessageDeflate: false,
    clientTracking: true,
  })
  readonly #alive = new WeakSet<WebSocket>()
  readonly #timer: NodeJS.Timeout
  #closed = false

  constructor(ctx: Context, hub: Hub, ping: number) {
    this.#ctx = ctx
    this.#hub = hub
    this.#timer = setInterval(() => this.#ping(), ping).unref()
  }

  /** Throws AppError when the upgrade is refused. */
  async accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (this.#closed) throw new Unavailable()
    const [path = '', search = ''] = (request.url ?? '').split('?', 2)
    const query = parseQuery(search)
    const ip = addressOf(this.#ctx, request)
    await catchUpAndCheckAccess(this.#ctx, ip)
    await limitOther(this.#ctx, { ip, query })
    const match = PATH.exec(path)
    if (!match) throw new NotFound()
    const { viewer, token } = await authenticateStream(this.#ctx, tokenIn(this.#ctx, request, query))
    // As in `Authorization: Session`: another account may have signed in since the page was opened.
    if (typeof query.account === 'string' && query.account !== viewer.accountId) throw new Unauthorized()
    if (this.#closed) throw new Unavailable()
    this.#hub.checkRoom(viewer.userId)
    const first = firstCommand(query, match.groups?.rest)
    this.#server.handleUpgrade(request, socket, head, (websocket) => {
      const listener = listenerOn(websocket, socket, { viewer, token, unlink: () => this.#hub.remove(listener) })
      this.#serve(websocket, listener, first)
    })
  }

  #serve(socket: WebSocket, listener: Listener, first: Record<string, unknown> | null): void {
    this.#alive.add(socket)
    socket.on('pong', () => this.#alive.add(socket))
    socket.on('error', (error) => this.#ctx.log.debug({ err: error }, 'websocket.broken'))
    const subscriptions = new ClientSubscriptions(this.#ctx, this.#hub, listener, (text) => send(socket, text))
    this.#hub.add(listener)
    socket.on('close', () => this.#hub.remove(listener))
    socket.on('message', (data, isBinary) => {
      if (isBinary) return socket.close(CODES.binary, 'Only text frames are understood')
      // Nothing is read while a command is executed, so that a client cannot queue up work.
      socket.pause()
      void subscriptions.receive(String(data)).finally(() => socket.resume())
    })
    if (first) void subscriptions.subscribe(first)
    void reloadViewer(this.#ctx, listener)
  }

  #ping(): void {
    for (const socket of this.#server.clients) {
      if (!this.#alive.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }

  /** Accepts no more connections. Terminates those that the hub's listeners have not closed after a moment. */
  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
    setTimeout(() => this.#server.clients.forEach((socket) => socket.terminate()), CLOSE_TIMEOUT_MS).unref()
  }
}

/** The stream that the address names, in the query or, as older clients do, in the path. */
function firstCommand(query: Record<string, unknown>, rest: string | undefined): Record<string, unknown> | null {
  if (typeof query.stream === 'string') return query
  return rest ? { ...query, stream: rest.replace(/(?<!\/)\/+$/, '').replaceAll('/', ':') } : null
}

/** The cookie counts on the server's own pages only: browsers send it with WebSockets of other sites' pages, too. */
function tokenIn(ctx: Context, request: IncomingMessage, query: Record<string, unknown>): string | null {
  const bearer = bearerIn(request.headers)
  if (bearer) return bearer
  if (typeof query.access_token === 'string' && query.access_token !== '') return query.access_token
  const protocol = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim()
  if (protocol) return protocol
  const { origin, host } = request.headers
  return origin !== undefined && isOwnOrigin(ctx, origin, host) ? readTokenCookie(ctx, request) : null
}

/** `connection`: of the WebSocket. */
function listenerOn(
  socket: WebSocket,
  connection: Duplex,
  { viewer, token, unlink }: Pick<Listener, 'viewer' | 'token'> & { unlink: () => void },
): Listener {
  return {
    viewer,
    token,
    encode,
    // Past the library, which would make a header for each listener and write it separately: a third of the cost.
    send: (bytes) => whenReady(socket, () => connection.write(bytes)),
    end(why) {
      unlink()
      socket.close(CODES[why], why === 'revoked' ? 'The access token was revoked' : 'The server is stopping')
    },
  }
}

const encode: Encode = (stream, event, payload) => textFrame(JSON.stringify({ stream, event, payload }))

const FINAL_TEXT = 0x81
/** Lengths that stand for a length of two and of eight bytes after them. */
const [TWO_BYTES, EIGHT_BYTES] = [126, 127]

/** A whole message as servers send it, without a mask: RFC 6455, section 5.2. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < TWO_BYTES ? 2 : length < 2 ** 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = FINAL_TEXT
  frame[1] = start === 2 ? length : start === 4 ? TWO_BYTES : EIGHT_BYTES
  if (start === 4) frame.writeUInt16BE(length, 2)
  if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, start)
  return frame
}

const send = (socket: WebSocket, text: string): void => whenReady(socket, () => socket.send(text))

/** Disconnects a slow client instead. */
function whenReady(socket: WebSocket, write: () => void): void {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
  else if (socket.readyState === socket.OPEN) write()
}

function refuse(ctx: Context, request: IncomingMessage, socket: Duplex, error: unknown): void {
  const { status, body, headers } = errorAnswer(error)
  if (status >= 500) ctx.log.warn({ err: error }, 'websocket.refused')
  const text = toLocalisedJson(body, languageFor(request))
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `${statusLine(status)}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `${more.join('')}Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  )
}

const trustedProxies = perServer((ctx) => proxyAddr.compile(ctx.config.trustedProxies))

/** The client's address behind trusted proxies, as Fastify's `request.ip` has it. Fastify does not see upgrades. */
function addressOf(ctx: Context, request: IncomingMessage): string {
  return proxyAddr(request, trustedProxies(ctx))
}
