// HTTP servers on loopback with pages that a test defines, for requests of the gate in src/net/.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { FetchError } from '../../src/net/fetch-error.ts'
import type { FetchFailure } from '../../src/net/fetch-error.ts'
import { createFetch } from '../../src/net/gate.ts'
import type { FetchGateOptions } from '../../src/net/gate.ts'
import { readBody } from './request-body.ts'

type Page = (request: IncomingMessage, response: ServerResponse) => void
type SeenRequest = { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }

export type PageServers = {
  origin: string
  otherOrigin: string
  seen: SeenRequest[]
  serve(path: string, page: Page): void
  /** Serves a fixed response, and returns the URL. */
  answer(path: string, status: number, headers: Record<string, string>, body?: string | Buffer): string
  close(): void
}

export const loopback: FetchGateOptions = {
  userAgent: 'rookery-test',
  allowedPrivateAddresses: ['127.0.0.0/8'],
  allowHttp: false,
}

export async function startPageServers(): Promise<PageServers> {
  const pages = new Map<string, Page>()
  const seen: SeenRequest[] = []
  const servers = [0, 0].map((port) =>
    createServer(async (request, response) => {
      const body = await readBody(request)
      if (!body) return
      seen.push({ method: request.method, url: request.url, headers: request.headers, body: body.toString() })
      const page = pages.get(request.url ?? '')
      if (page) page(request, response)
      else response.writeHead(404).end('nothing here')
    }).listen(port, '127.0.0.1'),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const [origin = '', otherOrigin = ''] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  return {
    origin,
    otherOrigin,
    seen,
    serve: (path, page) => void pages.set(path, page),
    answer(path, status, headers, body = '') {
      pages.set(path, (_, response) => response.writeHead(status, headers).end(body))
      return origin + path
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

export function failsWith(promise: Promise<unknown>, reason: FetchFailure): Promise<void> {
  return assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof FetchError, String(error))
    assert.equal(error.reason, reason, `${error.reason}: ${error.message}`)
    return true
  })
}

/** `asked` has the names that the gate resolved. */
export function gateWithDns(addresses: string[], options: Partial<FetchGateOptions> = {}) {
  const asked: string[] = []
  const lookup: LookupFunction = (name, _, callback) => {
    asked.push(name)
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { gate: createFetch({ ...loopback, lookup, ...options }), asked }
}
