// A server behind a proxy that can pretend that a newer build of the web client was installed.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from './server.ts'

export type UpdatableServer = {
  server: TestServer
  /** From now on all scripts of the client have other names, and those before are gone. */
  update(): void
  stop(): Promise<void>
}

/** The names of scripts, wherever they stand, and the version that names the service worker's cache. */
const NAME = /(\/[\w.-]+-[\w-]{8})(~2)?\.js\b/g
const VERSION = /version:`[\da-f]{12}`/g

const isText = (type = ''): boolean => /^text\/(html|javascript)/.test(type)

export async function startUpdatableServer(): Promise<UpdatableServer> {
  let upstream = 0
  let isUpdated = false

  function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url = '/' } = incoming
    const isScript = url.startsWith('/client/assets/') && url.endsWith('.js')
    if (isScript && url.endsWith('~2.js') !== isUpdated) return void outgoing.writeHead(404).end()
    const { 'if-none-match': _known, 'accept-encoding': _accepted, ...headers } = incoming.headers
    const path = url.replace(NAME, '$1.js')
    const asked = request({ agent: false, host: '127.0.0.1', port: upstream, method, path, headers }, (response) => {
      const { 'content-length': _length, ...rest } = response.headers
      if (!isUpdated || !isText(rest['content-type'])) {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        return void response.pipe(outgoing)
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = String(Buffer.concat(chunks)).replace(NAME, '$1~2.js').replace(VERSION, 'version:`updated`')
        outgoing.writeHead(response.statusCode ?? 502, rest).end(body)
      })
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  }

  const proxy = createServer(answer)
  proxy.on('upgrade', ({ url, rawHeaders }, socket, head) => {
    const lines = rawHeaders.flatMap((name, index) => (index % 2 ? [] : [`${name}: ${rawHeaders[index + 1]}`]))
    const other = connect(upstream, '127.0.0.1', () => {
      other.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      other.write(head)
      other.pipe(socket).pipe(other)
    })
    other.on('error', () => socket.destroy())
    socket.on('error', () => other.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const server = await startTestServer({ LOCAL_DOMAIN: `localhost:${port}` }, { fresh: true })
  upstream = Number(new URL(server.url).port)
  return {
    server,
    update: () => void (isUpdated = true),
    async stop() {
      proxy.close()
      proxy.closeAllConnections()
      await server.stop()
    },
  }
}
