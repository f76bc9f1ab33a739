// Requests for streams arrive at the web processes, which share the port, and move to the streaming process with their
// connection.
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const PATH = /^\/api\/v1\/streaming(?:[/?]|$)/
/** Headers about the connection, which is not used again, and about a body, which such requests do not have. */
const HOP = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect'])

/** `send` receives the request as it was on the wire, in Latin 1. Call this before the app listens. */
export function handOverStreams(app: FastifyInstance, send: (request: string, socket: Socket) => void): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.method !== 'GET' || !isStream(raw)) return
    reply.hijack()
    send(
      textOf(raw, (name) => !HOP.has(name), 'Connection: close\r\n'),
      raw.socket,
    )
    // The response moves with its connection: listeners for its end must not wait for it here.
    reply.raw.emit('close')
  })
  const local = app.server.listeners('upgrade')
  app.server.removeAllListeners('upgrade')
  app.server.on('upgrade', (request, socket, head) => {
    if (isStream(request)) send(textOf(request, () => true) + head.toString('latin1'), socket as Socket)
    else for (const listener of local) listener.call(app.server, request, socket, head)
  })
}

/** Serves a request that another process has read from the connection. */
export function takeOverStream(server: Server, request: string, socket: Socket): void {
  socket.on('error', () => socket.destroy())
  server.emit('connection', socket)
  socket.emit('data', Buffer.from(request, 'latin1'))
}

/** For a request that no process can take. */
export function refuseStream(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
}

const isStream = ({ url = '' }: IncomingMessage): boolean => PATH.test(url)

function textOf(request: IncomingMessage, sends: (name: string) => boolean, more = ''): string {
  const { method, url, rawHeaders } = request
  let text = `${method} ${url} HTTP/1.1\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (sends((rawHeaders[i] as string).toLowerCase())) text += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return `${text}${more}\r\n`
}
