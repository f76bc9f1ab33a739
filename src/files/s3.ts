import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type * as htmlparser2 from 'htmlparser2'
import pLimit from 'p-limit'
import type { S3 } from '../config.ts'
import { StartError, Unavailable } from '../lib/errors.ts'
import { lazyRequire } from '../lib/lazy-require.ts'
import { type BucketRequest, type BucketResponse, isRefusal, openBucket } from '../net/bucket.ts'
import { type ByteRange, type FileStore, isFileKey } from './store.ts'

const parsers = lazyRequire<typeof htmlparser2>('htmlparser2')
const SIMULTANEOUS_DELETES = 8

type Request = (request: BucketRequest) => Promise<BucketResponse | null>
type StoredObject = { key: string; size: number; modified: Date }

/** Files in a bucket, which stays private: `http/files.ts` serves them at `baseUrl`. */
export function createS3Store(settings: S3, baseUrl: string): FileStore {
  const request = openBucket(settings)
  return {
    check: () => checkBucket(request, settings),

    async put(key, source, contentType) {
      if (!isFileKey(key)) throw new Error(`not a file key: ${key}`)
      const size = typeof source === 'string' ? (await stat(source)).size : source.length
      const response = await request({
        method: 'PUT',
        key,
        headers: { 'content-type': contentType, 'content-length': String(size) },
        body: () => (typeof source === 'string' ? createReadStream(source) : source),
      })
      await response?.body.dump()
    },

    async delete(keys) {
      const limit = pLimit(SIMULTANEOUS_DELETES)
      const deletions = keys.map((key) =>
        limit(async () => await (await request({ method: 'DELETE', key }))?.body.dump()),
      )
      await Promise.all(deletions).catch((error: unknown) => {
        limit.clearQueue()
        throw error
      })
    },

    async open(key) {
      const response = isFileKey(key) ? await request({ method: 'HEAD', key }) : null
      if (response === null) return null
      await response.body.dump()
      const { 'content-length': size, 'last-modified': modified } = response.headers
      return {
        size: Number(size),
        modified: new Date(String(modified)),
        stream: (range) => Readable.from(read(request, key, range), { objectMode: false }),
      }
    },

    url: (key) => `${baseUrl}/${key}`,

    async *list() {
      const query: Record<string, string> = { prefix: settings.prefix }
      for (;;) {
        const { objects, next } = await listPage(request, query)
        for (const object of objects) {
          const key = object.key.slice(settings.prefix.length)
          if (isFileKey(key)) yield { ...object, key }
        }
        if (next === null) return
        query['continuation-token'] = next
      }
    },
  }
}

/** Throws what `FileStore.check` does. */
async function checkBucket(request: Request, { bucket, prefix }: S3): Promise<void> {
  try {
    await listPage(request, { prefix, 'max-keys': '1' })
  } catch (error) {
    const cause = ((error as Error).cause ?? error) as Error
    if (!isRefusal(cause)) throw error
    const reason = cause.message
    throw new StartError(
      `The bucket ${bucket} cannot be used: ${reason}. Check S3_BUCKET, S3_REGION, S3_ENDPOINT, AWS_ACCESS_KEY_ID and ` +
        'AWS_SECRET_ACCESS_KEY, or unset S3_ENABLED to store files in DATA_DIR.',
      { cause: error },
    )
  }
}

async function* read(request: Request, key: string, range?: ByteRange): AsyncGenerator<Buffer> {
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
  const response = await request({ method: 'GET', key, headers })
  if (response === null) throw Object.assign(new Error(`${key} was deleted before it was read`), { code: 'ENOENT' })
  yield* response.body as AsyncIterable<Buffer>
}

/** Up to 1000 objects. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
async function listPage(
  request: Request,
  query: Record<string, string>,
): Promise<{ objects: StoredObject[]; next: string | null }> {
  const response = await request({ method: 'GET', key: '', query: { 'list-type': '2', ...query } })
  if (response === null) throw new Unavailable()
  return parseList(await response.body.text())
}

function parseList(xml: string): { objects: StoredObject[]; next: string | null } {
  const objects: StoredObject[] = []
  let [next, text, fields]: [string | null, string, Record<string, string>] = [null, '', {}]
  const parser = new (parsers().Parser)(
    {
      onopentag(name) {
        text = ''
        if (name === 'Contents') fields = {}
      },
      ontext: (part) => void (text += part),
      onclosetag(name) {
        if (name === 'NextContinuationToken') next = text
        else if (name !== 'Contents') fields[name] = text
        else {
          const { Key = '', Size, LastModified = '' } = fields
          objects.push({ key: Key, size: Number(Size), modified: new Date(LastModified) })
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return { objects, next }
}
