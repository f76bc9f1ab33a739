import type { IncomingMessage } from 'node:http'

/** The whole body of a request that a test server gets; null when the client leaves before its end. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  try {
    return Buffer.concat(await request.toArray())
  } catch {
    return null
  }
}
