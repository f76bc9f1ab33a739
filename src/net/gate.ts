import { open, rm } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { Agent, request as send } from 'undici'
import type { Dispatcher } from 'undici'
import { createAddressPolicy } from './addresses.ts'
import { createConnector, refusal } from './connector.ts'
import { FetchError, toFetchError } from './fetch-error.ts'
import { checkContentType, flatten, headersFor, parseUrl, redirectStatuses, redirectTarget } from './fetch-rules.ts'
import type { Expectation, FetchAnswer } from './fetch-rules.ts'
import { parseForeignJson } from '../lib/parse-json.ts'
import { readBody, readChunks, readExcerpt } from './response-body.ts'

export interface FetchGateOptions {
  userAgent: string
  /** Addresses and ranges opened although they are not public; see `createAddressPolicy`. */
  allowedPrivateAddresses: readonly string[]
  /** Plain http to public hosts. Hosts on the allow list may be asked over http anyway. */
  allowHttp: boolean
  /** Asked before every hop with the host name, as `name:port` where the URL has a port. */
  isDomainAllowed?: (host: string) => boolean | Promise<boolean>
  /**
   * Asked before every hop of what is read from other servers; throws FetchError where there were too many. Deliveries, services
   * and what is passed on to a reader are not counted.
   */
  admit?: (hostname: string, kind: 'document' | 'extra') => Promise<void>
  caCertificates?: readonly string[]
  lookup?: LookupFunction
}

export interface OutgoingRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body: Buffer | undefined
}

export interface FetchOptions {
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** Cap of the decoded body, 1 MiB unless told. */
  maxBytes?: number
  /** For the whole exchange, redirects and body included; 10 s unless told. */
  timeoutMs?: number
  /** Until the answer begins; as long as the whole exchange unless told. */
  answerMs?: number
  /** How many redirects to follow; 3 unless told. */
  redirects?: number
  /** Redirects to another host are refused, and that host is not asked: FetchError 'redirects'. */
  sameHost?: boolean
  accept?: string
  /** What a 2xx answer must declare to be, otherwise FetchError 'content-type'. */
  expect?: Expectation
  signal?: AbortSignal
  /** Media, a preview or a check: not needed to understand a document. Has a budget of its own. Downloads are such. */
  extra?: boolean
  /** Not a server of the federation but a service somebody chose to use: what holds for other servers' domains does not. */
  service?: boolean
  /** Returns headers to add; called again for every hop, as a signature covers host and path. */
  sign?: (request: OutgoingRequest) => Promise<Record<string, string>>
}

export interface FetchResponse extends FetchAnswer {
  /** Whole for 2xx; otherwise at most 16 KiB of it. */
  body: Buffer
}

/** The one way out: every request to another server passes here. All methods throw FetchError, or the caller's own abort reason. */
export interface FetchGate {
  /** Answers with any status, except that redirects are followed. */
  request(url: string | URL, options?: FetchOptions): Promise<FetchResponse>
  /** GET of a JSON document, 'activity' unless told; an answer other than 2xx is FetchError 'status'. */
  json(url: string | URL, options?: FetchOptions): Promise<FetchAnswer & { json: unknown }>
  /** Writes a 2xx body to a new file; the file is removed when anything fails. */
  download(
    url: string | URL,
    options: FetchOptions & { maxBytes: number; toFile: string },
  ): Promise<FetchAnswer & { bytes: number }>
  /**
   * Hands an answer of any status on while it arrives; `read` is awaited. Slow readers take no connection that other requests
   * to the same host need.
   */
  pass<T>(
    url: string | URL,
    options: FetchOptions & { maxBytes: number },
    read: (answer: FetchAnswer, chunks: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T>
  /** May plain http be used at all, if only for some hosts? */
  readonly knowsHttp: boolean
  close(): Promise<void>
}

const connectTimeoutMs = 5_000
const excerptBytes = 16_384

export function createFetch(options: FetchGateOptions): FetchGate {
  const policy = createAddressPolicy(options.allowedPrivateAddresses)
  const connect = createConnector({ ...options, policy, connectTimeoutMs })
  const agent = new Agent({ connect, connections: 16, keepAliveTimeout: 15_000, keepAliveMaxTimeout: 60_000 })
  const passing = new Agent({ connect, connections: 64, keepAliveTimeout: 4_000 })
  const knowsHttp = options.allowHttp || policy.opensAny

  async function checkTarget(url: URL, isService = false): Promise<void> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new FetchError('scheme', 'Only http and https are fetched')
    if (url.username !== '' || url.password !== '')
      throw new FetchError('scheme', 'URLs with credentials are not fetched')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !policy.allows(host)) throw refusal(host, false)
    if (url.protocol === 'http:' && (!knowsHttp || (isIP(host) !== 0 && !options.allowHttp && !policy.lists(host)))) {
      throw refusal(host, true)
    }
    const name = url.port === '' ? host : `${host}:${url.port}`
    if (!isService && options.isDomainAllowed !== undefined && !(await options.isDomainAllowed(name))) {
      throw new FetchError('domain', `${host} is not asked by this server`)
    }
  }

  /** Sends, follows redirects, and hands the open answer to `read` within the time limit. */
  async function exchange<T>(
    address: string | URL,
    call: FetchOptions,
    read: (answer: FetchAnswer, body: Dispatcher.ResponseData['body']) => Promise<T>,
    dispatcher = agent,
  ): Promise<T> {
    const first = parseUrl(address)
    const timeoutMs = call.timeoutMs ?? 10_000
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new FetchError('timeout', 'The request took too long')), timeoutMs)
    const signal = call.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, call.signal])
    const method = call.method ?? 'GET'
    const body = typeof call.body === 'string' ? Buffer.from(call.body) : call.body
    let url = first
    // Only what the network did becomes a FetchError: a failing policy or signer is our own trouble.
    const fail = (error: unknown): never => {
      signal.throwIfAborted()
      throw toFetchError(error, url.host)
    }
    try {
      for (let left = call.redirects ?? 3; ; left--) {
        await checkTarget(url, call.service)
        if (method !== 'POST' && call.service !== true && dispatcher === agent)
          await options.admit?.(url.hostname, call.extra ? 'extra' : 'document')
        const headers = headersFor(call, options.userAgent, url.origin === first.origin)
        if (call.sign !== undefined) Object.assign(headers, await call.sign({ method, url, headers, body }))
        signal.throwIfAborted()
        const limits = { headersTimeout: call.answerMs ?? timeoutMs, bodyTimeout: timeoutMs, signal, dispatcher }
        const response = await send(url, { ...limits, method, headers, body: body ?? null }).catch(fail)
        // A body given up half-way reports its own end as an error; whoever reads it hears of it there.
        response.body.on('error', () => {})
        const answer = { status: response.statusCode, headers: flatten(response.headers), url: url.href }
        const location = redirectStatuses.has(answer.status) ? answer.headers['location'] : undefined
        if (location === undefined)
          return await read(answer, response.body)
            .catch(fail)
            .finally(() => response.body.destroy())
        await response.body.dump({ limit: excerptBytes }).catch(fail)
        if (left <= 0) throw new FetchError('redirects', `${url.host} redirects too often`)
        url = redirectTarget(url, location, method, answer.status)
        if (call.sameHost === true && url.host !== first.host)
          throw new FetchError('redirects', `${first.host} redirects to another host`)
      }
    } finally {
      clearTimeout(timer)
    }
  }

  const gate: FetchGate = {
    knowsHttp,
    request: (url, call = {}) =>
      exchange(url, call, async (answer, body) => {
        if (!isSuccess(answer.status)) return { ...answer, body: await readExcerpt(body, answer.headers, excerptBytes) }
        checkContentType(answer, call.expect ?? 'any')
        if (call.method === 'HEAD') return { ...answer, body: Buffer.alloc(0) }
        return { ...answer, body: await readBody(body, answer.headers, call.maxBytes ?? 1_048_576) }
      }),
    async json(url, call = {}) {
      const { body, ...answer } = await gate.request(url, { expect: 'activity', ...call })
      if (!isSuccess(answer.status)) throw statusError(answer)
      return { ...answer, json: parseJson(body, answer) }
    },
    download: (url, call) =>
      exchange(url, { timeoutMs: 60_000, extra: true, ...call }, async (answer, body) => {
        if (!isSuccess(answer.status)) throw statusError(answer)
        checkContentType(answer, call.expect ?? 'any')
        const bytes = await writeFile(readChunks(body, answer.headers, call.maxBytes), call.toFile)
        return { ...answer, bytes }
      }),
    pass: (url, call, read) =>
      exchange(
        url,
        call,
        async (answer, body) => read(answer, readChunks(body, answer.headers, call.maxBytes)),
        passing,
      ),
    close: async () => {
      await Promise.all([agent.close(), passing.destroy()])
    },
  }
  return gate
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function statusError(answer: FetchAnswer): FetchError {
  return new FetchError('status', `${new URL(answer.url).host} answered ${answer.status}`, { status: answer.status })
}

function parseJson(body: Buffer, answer: FetchAnswer): unknown {
  try {
    return parseForeignJson(body)
  } catch (cause) {
    throw new FetchError('content-type', `${new URL(answer.url).host} answered with broken JSON`, {
      status: answer.status,
      cause,
    })
  }
}

async function writeFile(chunks: AsyncIterable<Buffer>, path: string): Promise<number> {
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
  throw new FetchError('file', 'The answer could not be stored', { cause })
}
