// Images as `data:` URIs: in place of a file, `data:image/png;base64,…` counts as an upload.
import type { FastifyReply } from 'fastify'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { IMAGE_SIZE_LIMIT } from '../domain/media/types.ts'
import { PayloadTooLarge } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import { MAX_FILES, UPLOAD_PREFIX, UploadedFile } from './multipart.ts'

/** Bytes of a body that holds the largest accepted image in base64. */
export const MAX_DATA_URI_BODY = Math.ceil(IMAGE_SIZE_LIMIT / 3) * 4 + 1024 * 1024

const MAX_HEADER = 256

/** The media type that marks a parameter as a file: see `Upload`. */
const FILE = 'application/octet-stream'

type Node = {
  contentMediaType?: string
  properties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
}

export function takesFiles(schema: TSchema): boolean {
  const { contentMediaType, properties = {}, items, anyOf = [] } = schema as Node
  if (contentMediaType === FILE) return true
  return [...Object.values(properties), ...(items ? [items] : []), ...anyOf].some(takesFiles)
}

/**
 * Replaces every `data:` URI of a file parameter by a file in `tmpDir`, which is removed after the response. A malformed URI
 * stays as it is, and fails validation. Throws PayloadTooLarge for too many or too large files.
 */
export async function storeDataUris(
  schema: TSchema,
  params: unknown,
  reply: FastifyReply,
  tmpDir: string,
): Promise<unknown> {
  const found: Promise<void>[] = []
  const result = replace(schema, params, (mimetype, data) => {
    if (found.length >= MAX_FILES || data.length > IMAGE_SIZE_LIMIT)
      throw new PayloadTooLarge(message('file_too_large'))
    const file = new UploadedFile(join(tmpDir, UPLOAD_PREFIX + randomUUID()), 'upload', mimetype, data.length)
    found.push(store(file.path, data, reply))
    return file
  })
  await Promise.all(found)
  return result
}

async function store(path: string, data: Buffer, reply: FastifyReply): Promise<void> {
  const remove = (): void => void rm(path, { force: true }).catch(() => {})
  reply.raw.once('close', remove)
  await writeFile(path, data, { flag: 'wx', mode: 0o600 })
  if (reply.raw.closed) remove()
}

type Store = (mimetype: string, data: Buffer) => UploadedFile

/** Only descends where the schema does: its depth bounds the recursion. */
function replace(schema: TSchema, value: unknown, store: Store): unknown {
  const node = schema as Node
  if (node.contentMediaType === FILE) {
    const parsed = typeof value === 'string' ? parseDataUri(value) : null
    return parsed ? store(parsed.mimetype, parsed.data) : value
  }
  if (node.anyOf) return node.anyOf.reduce<unknown>((replaced, each) => replace(each, replaced, store), value)
  if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return value
  if (node.items) {
    const { items } = node
    if (Array.isArray(value)) return value.map((item) => replace(items, item, store))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(items, item, store)]))
  }
  if (!node.properties || Array.isArray(value)) return value
  const changed: Record<string, unknown> = { ...value }
  for (const [key, inner] of Object.entries(node.properties))
    if (Object.hasOwn(value, key)) changed[key] = replace(inner, changed[key], store)
  return changed
}

function parseDataUri(text: string): { mimetype: string; data: Buffer } | null {
  if (text.slice(0, 5).toLowerCase() !== 'data:') return null
  const comma = text.slice(0, MAX_HEADER).indexOf(',')
  const [mimetype = '', ...attributes] = text.slice(5, Math.max(5, comma)).split(';')
  if (comma < 0 || attributes.at(-1)?.toLowerCase() !== 'base64') return null
  const data = decodeBase64(text.slice(comma + 1))
  return data && { mimetype, data }
}

/**
 * Null when there are other characters. The expression looks for one of these, as one that matches all of a text may need more
 * stack than V8 has: for each of many megabytes, it notes the way back.
 */
function decodeBase64(text: string): Buffer | null {
  const padding = /={1,2}$/.exec(text.slice(-2))?.[0] ?? ''
  const digits = text.slice(0, text.length - padding.length)
  return digits === '' || /[^\w+/-]/.test(digits) ? null : Buffer.from(digits, 'base64')
}
