// A storage with the API of Amazon S3 and one bucket, which checks every signature.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from './request-body.ts'

const BUCKET = 'rookery'
const ACCESS_KEY = 'access'
const SECRET = 'a secret of the storage'
const PAGE_SIZE = 2

/** `isEndless`: its body begins and does not end. */
type StoredObject = { body: Buffer; type: string; modified: Date; isEndless?: boolean }

export type ObjectStorage = {
  objects: Map<string, StoredObject>
  /** As `PUT /rookery/key`. */
  requests: string[]
  /** Variables that make a server use it. */
  env: NodeJS.ProcessEnv
  /** Answers so many requests with this status; 0: with nothing. */
  fail(times: number, status: number): void
  stop(): Promise<void>
}

export async function startObjectStorage(): Promise<ObjectStorage> {
  const objects = new Map<string, StoredObject>()
  const requests: string[] = []
  let failures = { times: 0, status: 0 }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request)
      if (!body) return
      requests.push(`${request.method} ${request.url}`)
      if (failures.times-- > 0) return failures.status > 0 && refuse(response, failures.status, 'SlowDown')
      if (!isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch')
      answer(objects, request, response, body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    objects,
    requests,
    env: {
      S3_ENABLED: 'true',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET,
    },
    fail: (times, status) => void (failures = { times, status }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

function answer(
  objects: Map<string, StoredObject>,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage.test')
  const [, bucket, ...rest] = pathname.split('/')
  const key = rest.join('/')
  if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket')
  if (key === '') return void response.end(listOf(objects, searchParams))
  if (request.method === 'PUT') {
    objects.set(key, { body, type: request.headers['content-type'] ?? '', modified: new Date() })
    return void response.end()
  }
  if (request.method === 'DELETE') {
    objects.delete(key)
    return void response.writeHead(204).end()
  }
  const found = objects.get(key)
  if (!found) return refuse(response, 404, 'NoSuchKey')
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  const part = range ? found.body.subarray(Number(range[1]), Number(range[2]) + 1) : found.body
  response.writeHead(range ? 206 : 200, {
    'content-type': found.type,
    'content-length': found.isEndless ? 2 * part.length : part.length,
    'last-modified': found.modified.toUTCString(),
  })
  if (request.method === 'HEAD') return void response.end()
  if (found.isEndless) return void response.write(part)
  response.end(part)
}

function listOf(objects: Map<string, StoredObject>, query: URLSearchParams): string {
  const from = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > from).toSorted()
  const page = keys.slice(0, PAGE_SIZE)
  const next = keys.length > PAGE_SIZE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  const contents = page.map((key) => {
    const { body, modified } = objects.get(key) as StoredObject
    return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`
  })
  return `<?xml version="1.0"?><ListBucketResult><Name>${BUCKET}</Name>${contents.join('')}${next}</ListBucketResult>`
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const {
    credential = '',
    names = '',
    signature = '',
  } = /^AWS4-HMAC-SHA256 Credential=(?<credential>\S+), SignedHeaders=(?<names>\S+), Signature=(?<signature>\S+)$/.exec(
    headers.authorization ?? '',
  )?.groups ?? {}
  const [accessKey, ...scope] = credential.split('/')
  const [date = '', region = '', service = ''] = scope
  const { pathname, searchParams } = new URL(url, 'http://storage.test')
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .toSorted()
    .join('&')
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, pathname, query, signed.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), digest].join('\n')
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, date))
  return accessKey === ACCESS_KEY && names.split(';').includes('host') && signature === hmac(key, text).toString('hex')
}
