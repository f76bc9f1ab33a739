// Requests that the HTTP parser refuses: there is no request object, only the socket.
import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { textOfStatus } from './errors.ts'
import { CORS_HEADERS, JSON_POLICY } from './headers.ts'

const STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers in the API's JSON and closes the connection. Inside another answer, or without a client, it only closes. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: underWay } = socket as { _httpMessage?: { headersSent: boolean } | null }
  if (!socket.writable || error.code === 'ECONNRESET' || underWay?.headersSent) return void socket.destroy()
  const status = STATUSES[error.code ?? ''] ?? 400
  const body = JSON.stringify({ error: textOfStatus(status) })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    'cache-control': 'no-store',
    'content-security-policy': JSON_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': randomBytes(8).toString('hex'),
    ...CORS_HEADERS,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
