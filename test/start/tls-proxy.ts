// A TLS proxy in front of test servers.
import { request as passOn, type IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Certificate } from '../support/certificates.ts'

/** Where requests for a name go: to a port on loopback, or, for /.well-known/ only, by redirect to another name. */
export type Site = { certificate: Certificate } & ({ port: number } | { wellKnownAt: string })

export type Proxy = {
  address: string
  /** The requests so far, as `GET https://host/path`. */ seen: string[]
  close(): void
}

/** The header with the client address that the proxy should forward. */
export const CLIENT = 'x-test-client'

/**
 * Listens on port 443 of its own loopback address, from which it forwards requests. Null where that port may not be used.
 */
export async function startProxy(sites: Record<string, Site>): Promise<Proxy | null> {
  const address = `127.${[0, 0, 0].map(() => 2 + Math.floor(Math.random() * 250)).join('.')}`
  const seen: string[] = []
  const siteOf = (request: IncomingMessage): Site | undefined => sites[request.headers.host ?? '']
  const headersFor = (request: IncomingMessage): Record<string, string | string[] | undefined> => {
    const { [CLIENT]: client = '203.0.113.1', ...headers } = request.headers
    const before = headers['x-forwarded-for']
    return {
      ...headers,
      'x-forwarded-for': `${before ? `${String(before)}, ` : ''}${String(client)}`,
      'x-forwarded-proto': 'https',
    }
  }
  const [first] = Object.values(sites)
  const server = createServer(
    {
      ...first?.certificate,
      SNICallback: (name, done) => done(null, createSecureContext(sites[name]?.certificate)),
    },
    (request, response) => {
      seen.push(`${request.method} https://${request.headers.host}${request.url}`)
      const site = siteOf(request)
      if (site && 'port' in site) {
        const onward = passOn(
          {
            host: '127.0.0.1',
            port: site.port,
            localAddress: address,
            method: request.method,
            path: request.url,
            headers: headersFor(request),
          },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
            answer.pipe(response)
          },
        )
        onward.on('error', () => response.destroy())
        request.pipe(onward)
      } else if (site && request.url?.startsWith('/.well-known/'))
        response.writeHead(301, { location: `https://${site.wellKnownAt}${request.url}` }).end()
      else response.writeHead(404).end()
    },
  )
  server.on('upgrade', (request, socket, head) => {
    const site = siteOf(request)
    if (!site || !('port' in site)) return socket.destroy()
    const onward = connect({ host: '127.0.0.1', port: site.port, localAddress: address }, () => {
      const lines = Object.entries(headersFor(request)).map(([name, value]) => `${name}: ${String(value)}`)
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const listening = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL' ? resolve(false) : reject(error),
    )
    server.listen(443, address, () => resolve(true))
  })
  if (!listening) return null
  return {
    address,
    seen,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
