// The baseline: a node:http server that returns the same bytes to every request, and sends the body of a request to `/event` to all
// WebSockets. Its parent sends it the response, and learns its port.
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'

let status = 200
let headers: IncomingHttpHeaders = {}
let body = Buffer.alloc(0)

const streams = new Set<Duplex>()

async function sendEvent(request: IncomingMessage): Promise<void> {
  const event = await buffer(request)
  for (const stream of streams) stream.write(event)
}

const server = createServer(async (request, response) => {
  if (request.url === '/event') await sendEvent(request)
  else request.resume()
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
})
server.on('upgrade', (_request, stream) => {
  streams.add(stream)
  stream.on('close', () => streams.delete(stream)).on('error', () => stream.destroy())
  stream.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
})
process.on('message', (response: { status: number; headers: IncomingHttpHeaders; body: string }) => {
  ;({ status, headers } = response)
  body = Buffer.from(response.body, 'base64')
  process.send?.({ ready: true })
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
