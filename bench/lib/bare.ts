// The baseline: a node:http server that returns the same bytes to every request. Its parent sends it the response, and learns its
// port.
import { createServer, type IncomingHttpHeaders } from 'node:http'

let status = 200
let headers: IncomingHttpHeaders = {}
let body = Buffer.alloc(0)

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
})
process.on('message', (response: { status: number; headers: IncomingHttpHeaders; body: string }) => {
  ;({ status, headers } = response)
  body = Buffer.from(response.body, 'base64')
  process.send?.({ ready: true })
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
