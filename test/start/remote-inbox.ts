import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '../support/request-body.ts'

export type RemoteInbox = {
  url: string
  /** How often each activity was delivered, by its id. */
  delivered: ReadonlyMap<string, number>
  close(): void
}

/** The inbox of another server, which accepts every activity. */
export async function startInbox(): Promise<RemoteInbox> {
  const delivered = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    // A server that had this port in another test may still get requests, which come here.
    if (request.method !== 'POST' || request.url !== '/inbox') return response.writeHead(404).end()
    if (!body) return
    const { id } = JSON.parse(body.toString()) as { id: string }
    delivered.set(id, (delivered.get(id) ?? 0) + 1)
    response.writeHead(202).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/inbox`, delivered, close: () => server.close() }
}
