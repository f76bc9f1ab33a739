import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchError } from './fetch-error.ts'

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Decodes the body. The caller closes it. Throws FetchError 'too-large' as soon as the announced, received or decompressed size
 * exceeds `maxBytes`.
 */
export async function* readChunks(
  body: Readable,
  headers: Record<string, string>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') {
    yield* capped(body, maxBytes)
    return
  }
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]!() : null
  if (decoder === null) throw new FetchError('content-type', `Unsupported content encoding: ${encoding.slice(0, 40)}`)
  pipeline(
    body,
    (source: Readable) => capped(source, maxBytes),
    decoder,
    () => {},
  )
  yield* capped(decoder, maxBytes)
}

export async function readBody(body: Readable, headers: Record<string, string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(body, headers, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export async function readExcerpt(body: Readable, headers: Record<string, string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  if (headers['content-encoding'] === undefined) {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

async function* capped(source: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

function tooLarge(maxBytes: number): FetchError {
  return new FetchError('too-large', `The response is larger than ${maxBytes} bytes`)
}

/** Returns the size in bytes. Removes the file after a failure; throws FetchError 'file' when the disk fails. */
export async function writeToFile(chunks: AsyncIterable<Buffer>, path: string): Promise<number> {
  const file = await open(path, 'wx').catch(failToWrite)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk).catch(failToWrite)
      bytes += chunk.length
    }
    await file.close()
    return bytes
  } catch (error) {
    await file.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
}

function failToWrite(cause: unknown): never {
  throw new FetchError('file', 'The response could not be stored', { cause })
}
