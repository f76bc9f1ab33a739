import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { createAddressPolicy, type AddressPolicy } from './addresses.ts'
import { FetchError, plainHttpError, privateAddressError, toFetchError } from './fetch-error.ts'
import { checkContentType, flatten, headersFor, parseUrl, REDIRECT_STATUSES, redirectTarget } from './fetch-rules.ts'
import type { Expectation, FetchAnswer } from './fetch-rules.ts'
import { once } from '../lib/concurrency.ts'
import { parseForeignJson } from '../lib/json.ts'
import { readBody, readChunks, readExcerpt, writeToFile } from './response-body.ts'

export type FetchGateOptions = {
  userAgent: string
  allowedPrivateAddresses: readonly string[]
  /** Allows plain http to public hosts. Hosts on the allow list may always be reached over http. */
  allowHttp: boolean
  /** Called before every hop with the host name, or `name:port` where the URL has a port. */
  isDomainAllowed?: (host: string) => boolean | Promise<boolean>
  /**
   * Called before every hop of a request that reads from another server, but not for deliveries, requests to services, and
   * responses passed on to a reader. Throws FetchError when a budget is used up.
   */
  admit?: (hostname: string, kind: 'document' | 'extra') => Promise<void>
  caCertificates?: readonly string[]
  lookup?: LookupFunction
}

export type OutgoingRequest = {
  method: string
  url: URL
  headers: Record<string, string>
  body: Buffer | undefined
}

export type FetchOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** Limit of the decoded body, 1 MiB by default. */
  maxBytes?: number
  /** For the whole exchange, redirects and body included; 10 s by default. */
  timeoutMs?: number
  /** Until the response begins; by default as long as the whole exchange. */
  answerMs?: number
  /** 3 by default. `manual`: returns a redirect as the response. */
  redirects?: number | 'manual'
  /** Refuses redirects to another host with FetchError 'redirects', without a request to that host. */
  sameHost?: boolean
  accept?: string
  /** Checked for 2xx responses. Throws FetchError 'content-type'. */
  expect?: Expectation
  signal?: AbortSignal
  /**
   * Media, previews and checks are not needed to understand a document, so they have a budget of their own. The default for
   * downloads.
   */
  extra?: boolean
  /** The domain policy does not apply to a service that an administrator configured. */
  service?: boolean
  /** Returns headers to add; called again for every hop, as a signature covers host and path. */
  sign?: (request: OutgoingRequest) => Promise<Record<string, string>>
}

export type FetchResponse = FetchAnswer & {
  /** The whole body for 2xx, otherwise at most 16 KiB of it. */
  body: Buffer
}

/** Every request to another server goes through this gate. All methods throw FetchError, or the caller's abort reason. */
export type FetchGate = {
  /** Follows redirects. Returns responses of any other status. */
  request(url: string | URL, options?: FetchOptions): Promise<FetchResponse>
  /** Expects 'activity' by default. Throws FetchError 'status' unless the status is 2xx. */
  json(url: string | URL, options?: FetchOptions): Promise<FetchAnswer & { json: unknown }>
  /** Writes a 2xx body to a new file, and removes the file after a failure. */
  download(
    url: string | URL,
    options: FetchOptions & { maxBytes: number; toFile: string },
  ): Promise<FetchAnswer & { bytes: number }>
  /**
   * Passes on a response of any status while it arrives; awaits `read`. Uses separate connections, so that slow readers do not
   * delay other requests to the same host.
   */
  pass<T>(
    url: string | URL,
    options: FetchOptions & { maxBytes: number },
    read: (answer: FetchAnswer, chunks: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T>
  /** True if plain http is allowed, even for some hosts only. */
  readonly knowsHttp: boolean
  close(): Promise<void>
}

/** Bytes that are read of the body of a response that is not 2xx. */
const EXCERPT_BYTES = 16_384

export const createFetch = (options: FetchGateOptions): FetchGate => new Gate(options)

/** The URL in a text; null unless the gate may send requests to its scheme. */
export function fetchableUrl({ knowsHttp }: Pick<FetchGate, 'knowsHttp'>, text: string): URL | null {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && knowsHttp) ? url : null
}

/** `passing`: for slow readers. */
type AgentKind = 'agent' | 'passing'

/** `origin`: of the address before all redirects. */
type Exchange = {
  call: FetchOptions
  kind: AgentKind
  limits: { headersTimeout: number; bodyTimeout: number; signal: AbortSignal }
  origin: string
}

type Read<T> = (answer: FetchAnswer, body: Dispatcher.ResponseData['body']) => Promise<T>

class Gate implements FetchGate {
  readonly knowsHttp: boolean
  readonly #options: FetchGateOptions
  readonly #policy: AddressPolicy
  #isOpen = false
  /** Many servers at rest and some processes send no requests: the library is loaded for the first one. */
  readonly #client = once(() => this.#open())

  constructor(options: FetchGateOptions) {
    this.#options = options
    this.#policy = createAddressPolicy(options.allowedPrivateAddresses)
    this.knowsHttp = options.allowHttp || this.#policy.listsAny
  }

  async #open() {
    this.#isOpen = true
    const [{ Agent, request }, { createConnector }] = await Promise.all([import('undici'), import('./connector.ts')])
    const connect = createConnector({ ...this.#options, policy: this.#policy })
    return {
      send: request,
      agent: new Agent({ connect, connections: 16, keepAliveTimeout: 15_000, keepAliveMaxTimeout: 60_000 }),
      passing: new Agent({ connect, connections: 64, keepAliveTimeout: 4_000 }),
    }
  }

  request(url: string | URL, call: FetchOptions = {}): Promise<FetchResponse> {
    return this.#exchange(url, call, async (answer, body) => {
      if (!isSuccess(answer.status)) return { ...answer, body: await readExcerpt(body, answer.headers, EXCERPT_BYTES) }
      checkContentType(answer, call.expect ?? 'any')
      if (call.method === 'HEAD') return { ...answer, body: Buffer.alloc(0) }
      return { ...answer, body: await readBody(body, answer.headers, call.maxBytes ?? 1_048_576) }
    })
  }

  async json(url: string | URL, call: FetchOptions = {}): Promise<FetchAnswer & { json: unknown }> {
    const { body, ...answer } = await this.request(url, { expect: 'activity', ...call })
    if (!isSuccess(answer.status)) throw statusError(answer)
    return { ...answer, json: parseJson(body, answer) }
  }

  download(
    url: string | URL,
    call: FetchOptions & { maxBytes: number; toFile: string },
  ): Promise<FetchAnswer & { bytes: number }> {
    return this.#exchange(url, { timeoutMs: 60_000, extra: true, ...call }, async (answer, body) => {
      if (!isSuccess(answer.status)) throw statusError(answer)
      checkContentType(answer, call.expect ?? 'any')
      const bytes = await writeToFile(readChunks(body, answer.headers, call.maxBytes), call.toFile)
      return { ...answer, bytes }
    })
  }

  pass<T>(
    url: string | URL,
    call: FetchOptions & { maxBytes: number },
    read: (answer: FetchAnswer, chunks: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    const readOpen: Read<T> = (answer, body) => read(answer, readChunks(body, answer.headers, call.maxBytes))
    return this.#exchange(url, call, readOpen, 'passing')
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    const { agent, passing } = await this.#client()
    await Promise.all([agent.close(), passing.destroy()])
  }

  async #checkTarget(url: URL, isService = false): Promise<void> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new FetchError('scheme', 'Only http and https are fetched')
    if (url.username !== '' || url.password !== '')
      throw new FetchError('scheme', 'URLs with credentials are not fetched')
    const { isDomainAllowed, allowHttp } = this.#options
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const isLiteral = isIP(host) !== 0
    if (isLiteral && !this.#policy.allows(host)) throw privateAddressError(host)
    if (url.protocol === 'http:' && (!this.knowsHttp || (isLiteral && !allowHttp && !this.#policy.isListed(host))))
      throw plainHttpError(host)
    const name = url.port === '' ? host : `${host}:${url.port}`
    if (!isService && isDomainAllowed !== undefined && !(await isDomainAllowed(name)))
      throw new FetchError('domain', `This server does not fetch from ${host}`)
  }

  /** Includes redirects. The time limit covers `read` too. */
  async #exchange<T>(address: string | URL, call: FetchOptions, read: Read<T>, kind: AgentKind = 'agent'): Promise<T> {
    const first = parseUrl(address)
    const timeoutMs = call.timeoutMs ?? 10_000
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new FetchError('timeout', 'The request took too long')), timeoutMs)
    const signal = call.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, call.signal])
    const limits = { headersTimeout: call.answerMs ?? timeoutMs, bodyTimeout: timeoutMs, signal }
    const { redirects = 3 } = call
    const exchange = { call, kind, limits, origin: first.origin }
    let url = first
    try {
      for (let followed = 0; ; followed++) {
        const { answer, body } = await this.#send(url, exchange)
        const location = REDIRECT_STATUSES.has(answer.status) ? answer.headers['location'] : undefined
        if (location === undefined || redirects === 'manual')
          return await read(answer, body)
            .catch(failing(signal, url))
            .finally(() => body.destroy())
        await body.dump({ limit: EXCERPT_BYTES }).catch(failing(signal, url))
        if (followed >= redirects) throw new FetchError('redirects', `${url.host} redirects too often`)
        url = redirectTarget(url, location, call.method ?? 'GET', answer.status)
        if (call.sameHost === true && url.host !== first.host)
          throw new FetchError('redirects', `${first.host} redirects to another host`)
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #send(
    url: URL,
    { call, kind, limits, origin }: Exchange,
  ): Promise<{ answer: FetchAnswer; body: Dispatcher.ResponseData['body'] }> {
    const method = call.method ?? 'GET'
    const body = typeof call.body === 'string' ? Buffer.from(call.body) : call.body
    await this.#checkTarget(url, call.service)
    if (method !== 'POST' && call.service !== true && kind === 'agent')
      await this.#options.admit?.(url.hostname, call.extra ? 'extra' : 'document')
    const headers = headersFor(call, this.#options.userAgent, url.origin === origin)
    if (call.sign !== undefined) Object.assign(headers, await call.sign({ method, url, headers, body }))
    const client = await this.#client()
    limits.signal.throwIfAborted()
    const request = { ...limits, dispatcher: client[kind], method, headers, body: body ?? null }
    const response = await client.send(url, request).catch(failing(limits.signal, url))
    // A body that is closed early emits an error, which its reader reports.
    response.body.on('error', () => {})
    const answer = { status: response.statusCode, headers: flatten(response.headers), url: url.href }
    return { answer, body: response.body }
  }
}

/** Only failures of the network become a FetchError. Errors of the domain policy or the signer are passed on. */
const failing =
  (signal: AbortSignal, url: URL) =>
  (error: unknown): never => {
    signal.throwIfAborted()
    throw toFetchError(error, url.host)
  }

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function statusError(answer: FetchAnswer): FetchError {
  return new FetchError('status', `${new URL(answer.url).host} returned status ${answer.status}`, {
    status: answer.status,
  })
}

function parseJson(body: Buffer, answer: FetchAnswer): unknown {
  try {
    return parseForeignJson(body)
  } catch (cause) {
    throw new FetchError('content-type', `${new URL(answer.url).host} returned invalid JSON`, {
      status: answer.status,
      cause,
    })
  }
}
