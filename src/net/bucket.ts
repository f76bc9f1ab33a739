import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as aws4fetch from 'aws4fetch'
import type * as undici from 'undici'
import type { S3 } from '../config.ts'
import { Unavailable } from '../lib/errors.ts'
import { lazyRequire } from '../lib/lazy-require.ts'

const http = lazyRequire<typeof undici>('undici')
const signatures = lazyRequire<typeof aws4fetch>('aws4fetch')

/** Attempts when a request does not reach the storage, or the storage is too busy to answer. */
const ATTEMPTS = 3
const RETRY_MS = 200
const CONNECT_MS = 5_000
const RESPONSE_MS = 30_000
const CONNECTIONS = 64
const MAX_ERROR_BYTES = 10_000

export type BucketRequest = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty for a request about the bucket. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Called once per attempt. */
  body?: () => Buffer | Readable
}
export type BucketResponse = Pick<undici.Dispatcher.ResponseData, 'headers' | 'body'>
type Answer = undici.Dispatcher.ResponseData

/**
 * Requests to a bucket of Amazon S3, or of any storage with the same API, which the administrator has chosen: it may have a private
 * address. Each returns the response once its status is 2xx, or null for an unknown key, and throws Unavailable otherwise. The caller
 * reads or dumps the body. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */
export function openBucket(settings: S3): (request: BucketRequest) => Promise<BucketResponse | null> {
  const agent = new (http().Agent)({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: RESPONSE_MS,
    bodyTimeout: RESPONSE_MS,
  })
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(agent, settings, request).catch((error: Error) => error)
      if (!(answer instanceof Error) && answer.statusCode < 300) return answer
      const error = answer instanceof Error ? answer : await refusal(request, answer)
      if (!(answer instanceof Error) && answer.statusCode === 404 && request.key !== '' && request.method !== 'PUT')
        return null
      const isBusy = answer instanceof Error || answer.statusCode === 429 || answer.statusCode >= 500
      if (!isBusy || attempt === ATTEMPTS) throw new Unavailable(undefined, error)
      await sleep(RETRY_MS * attempt)
    }
  }
}

async function send(
  agent: undici.Agent,
  settings: S3,
  { method, key, query, headers, body }: BucketRequest,
): Promise<Answer> {
  const { address, prefix, accessKeyId, secretAccessKey, region } = settings
  const url = new URL(key === '' ? address : address + prefix + key)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  const signer = new (signatures().AwsV4Signer)({
    method,
    url: url.href,
    headers: headers ?? {},
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
  })
  const signed = await signer.sign()
  return http().request(signed.url, {
    dispatcher: agent,
    method,
    headers: Object.fromEntries(signed.headers as Headers),
    body: body?.() ?? null,
  })
}

/** Reads the body, such as `<Error><Code>AccessDenied</Code>…`. */
async function refusal({ method }: BucketRequest, { statusCode, body }: Answer): Promise<Error> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) if (text.length < MAX_ERROR_BYTES) text += chunk as string
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1]
  return new Error(`the storage answered ${statusCode}${code === undefined ? '' : ` (${code})`} to ${method}`)
}
