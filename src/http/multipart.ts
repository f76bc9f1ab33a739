import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BadRequest, PayloadTooLarge } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { removeStaleFiles } from '../lib/folders.ts'
import { decodeUtf8, type Params, parsePairs, refuseNul } from './rails-params.ts'

/** A file of a multipart body, in a temporary place until the response is sent. `mimetype` is the client's claim. */
export class UploadedFile {
  readonly path: string
  readonly filename: string
  readonly mimetype: string
  readonly size: number

  constructor(path: string, filename: string, mimetype: string, size: number) {
    this.path = path
    this.filename = filename
    this.mimetype = mimetype
    this.size = size
  }
}

/** No JSON or form value passes. */
export const isUpload = (value: unknown): value is UploadedFile => value instanceof UploadedFile

export type MultipartLimits = {
  tmpDir: string
  /** Bytes of all text fields together. */
  maxBodyBytes: number
  /** Instead of `maxBodyBytes` where files are expected, which may come as `data:` URIs. */
  maxTextBytes?: number
  /** Bytes of one file. */
  maxFileBytes: number
}

export const UPLOAD_PREFIX = 'upload-'
/** No endpoint accepts more files. */
export const MAX_FILES = 4
const MAX_FIELDS = 4096

type Part = [name: string, value: unknown]

/**
 * Reads a multipart body into nested parameters and streams files into `limits.tmpDir`. The path of every file is added to
 * `paths` before it is created; the caller removes them, also when this throws. Without `paths`, files are read and dropped.
 * Throws BadRequest for a malformed body, PayloadTooLarge over a limit.
 */
export async function parseMultipart(
  headers: IncomingHttpHeaders,
  payload: Readable,
  limits: MultipartLimits,
  paths: string[] | null,
): Promise<Params> {
  const busboy = createBusboy(headers, limits)
  const parts: Promise<Part>[] = []
  const open = new Set<BusboyFileStream>()
  const texts = { bytes: 0, maxBytes: (paths && limits.maxTextBytes) || limits.maxBodyBytes }
  const failure = Promise.withResolvers<never>()
  let failed = false

  busboy.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, mimetype) => {
    // Busboy reports a part that ends early itself; an error event without a listener would end the process.
    stream.on('error', () => {})
    open.add(stream)
    stream.once('close', () => open.delete(stream))
    // Busboy may still emit buffered parts after a failure.
    if (failed || name === undefined) return void stream.resume()
    if (filename === undefined) parts.push(readText(name, stream, texts))
    // Browsers send an empty file input with an empty file name.
    else if (filename === '' || paths === null) stream.resume()
    else if (paths.length >= MAX_FILES) parts.push(Promise.reject(new BadRequest(message('too_many_files'))))
    else {
      const path = join(limits.tmpDir, UPLOAD_PREFIX + randomUUID())
      paths.push(path)
      parts.push(writeFile(stream, path, { name, filename, mimetype }, limits.maxFileBytes))
    }
    parts.at(-1)?.catch(failure.reject)
  })

  try {
    await Promise.race([
      pump(payload, busboy, MAX_FILES * limits.maxFileBytes + 2 * limits.maxBodyBytes),
      failure.promise,
    ])
    return parsePairs(await Promise.all(parts))
  } catch (error) {
    failed = true
    // The rest is read and dropped: a client that is cut off while it sends would not read the response.
    payload.unpipe(busboy)
    payload.resume()
    for (const stream of open) stream.destroy(error as Error)
    await Promise.allSettled(parts)
    throw error
  }
}

export const removeStaleUploads = (tmpDir: string): Promise<void> => removeStaleFiles(tmpDir, UPLOAD_PREFIX)

function createBusboy(headers: IncomingHttpHeaders, limits: MultipartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // Text fields are read as streams too, so that their bytes can be checked to be UTF-8.
      isPartAFile: () => true,
      limits: {
        fileSize: Math.max(limits.maxFileBytes, (limits.maxTextBytes ?? limits.maxBodyBytes) + 1),
        parts: MAX_FIELDS,
        headerPairs: 32,
        headerSize: 16 * 1024,
      },
    })
  } catch (error) {
    throw new BadRequest(message('multipart_boundary'), error)
  }
}

async function readText(
  name: string,
  stream: BusboyFileStream,
  texts: { bytes: number; maxBytes: number },
): Promise<Part> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    texts.bytes += (chunk as Buffer).length
    if (texts.bytes > texts.maxBytes) throw new PayloadTooLarge()
    chunks.push(chunk as Buffer)
  }
  return [name, decodeUtf8(Buffer.concat(chunks))]
}

async function writeFile(
  stream: BusboyFileStream,
  path: string,
  { name, filename, mimetype }: { name: string; filename: string; mimetype: string },
  maxBytes: number,
): Promise<Part> {
  refuseNul(filename)
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  if (stream.truncated || stream.bytesRead > maxBytes) throw new PayloadTooLarge(message('file_too_large'))
  return [name, new UploadedFile(path, filename, mimetype, stream.bytesRead)]
}

/** Does not use `pipeline`, which would destroy the socket that the response needs. */
function pump(payload: Readable, busboy: BusboyInstance, maxBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) reject(new PayloadTooLarge())
    })
    const gone = (): void => {
      if (!payload.readableEnded) reject(new BadRequest(message('request_ended_early')))
    }
    payload.once('error', gone)
    payload.once('close', gone)
    busboy.once('partsLimit', () => reject(new BadRequest(message('parameters_too_many'))))
    busboy.on('error', (error) => reject(new BadRequest(message('multipart_malformed'), error)))
    busboy.once('finish', resolve)
    payload.pipe(busboy)
  })
}
