import type { ServerResponse } from 'node:http'
import { isPieces, JsonDocument } from '../lib/json.ts'

/** Bytes of a reused buffer: a page of 80 statuses fits. Unused memory at its end costs nothing, as it is never touched. */
const BUFFER_SIZE = 256 * 1024
/** Buffers that wait for their next use, the last used one on top, as the processor still has it in its cache. */
const waiting: Buffer[] = []
const MAX_WAITING = 16

/** The body of a response. It may be overwritten once the response is closed. */
export function bodyOf(result: unknown, response: ServerResponse): Buffer | string {
  if (Buffer.isBuffer(result)) return result
  if (result instanceof JsonDocument) return result.text
  return isPieces(result) ? joinPieces(result, response) : JSON.stringify(result)
}

/** Reused buffers take less time than new ones, which the garbage collector frees, and than `writev` (docs/performance.md). */
function joinPieces(pieces: readonly Buffer[], response: ServerResponse): Buffer {
  let size = 0
  for (const piece of pieces) size += piece.length
  if (size > BUFFER_SIZE) return Buffer.concat(pieces, size)
  const buffer = waiting.pop() ?? Buffer.allocUnsafeSlow(BUFFER_SIZE)
  // By then the body has been sent or dropped.
  response.once('close', () => {
    if (waiting.length < MAX_WAITING) waiting.push(buffer)
  })
  let at = 0
  for (const piece of pieces) {
    buffer.set(piece, at)
    at += piece.length
  }
  return buffer.subarray(0, size)
}
