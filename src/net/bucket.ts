import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as aws4fetch from 'aws4fetch'
import type * as undici from 'undici'
import type { S3 } from '../config.ts'
import { createCircuitBreaker } from '../lib/circuit-breaker.ts'
import { createSemaphore } from '../lib/concurrency.ts'
import { Unavailable } from '../lib/errors.ts'
import { lazyRequire } from '../lib/lazy-require.ts'

const http = lazyRequire<typeof undici>('undici')
const signatures = lazyRequire<typeof aws4fetch>('aws4fetch')

/** Attempts when a connection fails, or the storage is too busy. */
const ATTEMPTS = 3
const RETRY_MS = 200
const CONNECT_MS = 5_000
const RESPONSE_MS = 10_000
const STORED_MS = 30_000
const BODY_MS = 30_000
/** How many requests may wait for a response at once. Others wait for their turn. Reading the bodies does not count. */
const SIMULTANEOUS = 64
const MAX_WAITING = 1000
/** After so many requests in a row without a response, all fail for a while: each would keep its client waiting. */
const SILENCES = { failures: 8, pauseMs: 10_000 }
const SILENCE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])
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
 * Requests to a bucket of Amazon S3, or of any storage with the same API, which the administrator has chosen: it may have a
 * private address. Each returns the response once its status is 2xx, or null for an unknown key, and throws Unavailable
 * otherwise. The caller reads or dumps the body. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */
export function openBucket(settings: S3): (request: BucketRequest) => Promise<BucketResponse | null> {
  const agent = new (http().Agent)({ connect: { timeout: CONNECT_MS }, bodyTimeout: BODY_MS })
  const takeTurn = createSemaphore(SIMULTANEOUS, MAX_WAITING)
  const breaker = createCircuitBreaker(SILENCES)
  const attempt = async (request: BucketRequest): Promise<Answer | Error> => {
    if (breaker.isUnavailable()) return storageError('the storage does not respond')
    try {
      const answer = await send(agent, settings, request)
      breaker.recordSuccess()
      return answer
    } catch (error) {
      if (isSilence(error)) breaker.recordFailure()
      return error as Error
    }
  }
  return async (request) => {
    for (let attempts = 1; ; attempts++) {
      const answer = await takeTurn(() => attempt(request))
      if (!(answer instanceof Error) && answer.statusCode < 300) return answer
      const error = answer instanceof Error ? answer : await refusal(request, answer)
      if (!(answer instanceof Error) && answer.statusCode === 404 && request.key !== '' && request.method !== 'PUT')
        return null
      const isBusy =
        answer instanceof Error ? !isSilence(answer) : answer.statusCode === 429 || answer.statusCode >= 500
      if (!isBusy || attempts === ATTEMPTS || breaker.isUnavailable()) throw new Unavailable(undefined, error)
      await sleep(RETRY_MS * attempts)
    }
  }
}

const isSilence = (error: unknown): boolean => SILENCE.has((error as { code?: string }).code ?? '')

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
    headersTimeout: method === 'PUT' ? STORED_MS : RESPONSE_MS,
  })
}

/** With a code, so that the log has it once a minute during an outage. */
const storageError = (message: string, status = 0): Error =>
  Object.assign(new Error(message), { code: 'STORAGE_FAILED', status })

/**
 * By the cause of an Unavailable: whether the settings are wrong (the storage says so, or has no such host), and not the storage
 * down.
 */
export function isRefusal(cause: unknown): boolean {
  const { code, status = 0 } = cause as { code?: string; status?: number }
  return code === 'ENOTFOUND' || (status >= 300 && status < 500 && status !== 408 && status !== 429)
}

/** Reads the body, such as `<Error><Code>AccessDenied</Code>…`. */
async function refusal({ method }: BucketRequest, { statusCode, body }: Answer): Promise<Error> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) if (text.length < MAX_ERROR_BYTES) text += chunk as string
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1]
  return storageError(
    `the storage answered ${statusCode}${code === undefined ? '' : ` (${code})`} to ${method}`,
    statusCode,
  )
}
