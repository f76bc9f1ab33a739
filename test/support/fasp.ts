import { hash } from 'node:crypto'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ed25519Bytes, generateEd25519Key, pemFromEd25519 } from '../../src/ap/keys.ts'
import { isSignedBy } from '../../src/ap/signatures/common.ts'
import {
  prepareMessageSignature,
  prepareResponseSignature,
  signMessage,
  signResponse,
} from '../../src/ap/signatures/rfc9421.ts'
import { readBody } from './request-body.ts'
import type { Answer, TestServer } from './server.ts'

type Json = Record<string, any>
type Reply = { status?: number; json?: unknown; headers?: Json }
type Handler = (call: { query: URLSearchParams; json: any }) => Reply | Promise<Reply>

export type CallOptions = {
  /** The name that the server gave the provider. */
  keyId?: string
  privateKey?: string
  now?: Date
  /** Header changes after signing; null removes a header. */
  headers?: Record<string, string | null>
}

type Called = { status: number; headers: IncomingHttpHeaders; text: string; json: any }

/** A simulated auxiliary service provider: it checks the signatures of requests, and signs what it sends. */
export type Provider = {
  url: string
  domain: string
  fingerprint: string
  publicKey: string
  privateKey: string
  /** As `GET /path`, with the JSON of the body. */
  received: { what: string; json: any }[]
  /** Answers requests such as `GET /provider_info`. Others get 404. */
  on(what: string, handler: Handler): void
  /** Registers with the server, and returns what it answers. */
  register(server: TestServer, change?: Json): Promise<Answer>
  /** A signed request to the API for providers. Throws unless the response is signed, or is a 401. */
  call(method: string, path: string, json?: unknown, options?: CallOptions): Promise<Called>
  /** Breaks the signatures of responses. */
  signsWith(privateKey: string): void
  stop(): Promise<void>
}

export async function startProvider(name = 'Test services'): Promise<Provider> {
  const handlers = new Map<string, Handler>()
  const received: Provider['received'] = []
  const privateKey = generateEd25519Key()
  let signingKey = privateKey
  let known: { server: TestServer; faspId: string; publicKeyPem: string } | null = null
  const http = createServer((req, res) => {
    void (async () => {
      const body = await readBody(req)
      if (!body) return
      const url = new URL(req.url ?? '', base)
      const request = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, body }
      const prepared = prepareMessageSignature(request, { hosts: [domain], protocol: 'http:' })
      const isValid = known !== null && prepared.keyId === 'server-1' && isSignedBy(prepared, known.publicKeyPem)
      const isCovered = prepared.covered.join() === '@method,@target-uri,content-digest'
      const json: unknown = body.length > 0 ? JSON.parse(body.toString()) : null
      const what = `${req.method} ${url.pathname}`
      received.push({ what, json })
      const handler = isValid && isCovered ? handlers.get(what) : () => ({ status: 401, json: undefined, headers: {} })
      const answer = (await handler?.({ query: url.searchParams, json })) ?? { status: 404 }
      const content = Buffer.from(answer.json === undefined ? '' : JSON.stringify(answer.json))
      const status = answer.status ?? 200
      const signature = await signResponse(
        { status, body: content },
        { keyId: known?.faspId ?? '', privateKeyPem: signingKey },
      )
      res.writeHead(status, { ...signature, 'content-type': 'application/json', ...answer.headers }).end(content)
    })().catch((error: unknown) => {
      received.push({ what: String(error), json: null })
      res.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const domain = `localhost:${(http.address() as AddressInfo).port}`
  const base = `http://${domain}`
  const publicKey = ed25519Bytes(privateKey).toString('base64')
  handlers.set('GET /fasp/provider_info', () => ({
    json: {
      name,
      privacyPolicy: [{ url: `${base}/privacy`, language: 'en' }],
      capabilities: ['callback', 'data_sharing', 'account_search', 'follow_recommendation', 'brewing'].map((id) => ({
        id,
        version: '0.1',
      })),
      signInUrl: `${base}/sign_in`,
      contactEmail: 'help@provider.test',
    },
  }))
  return {
    url: `${base}/fasp`,
    domain,
    publicKey,
    privateKey,
    received,
    fingerprint: hash('sha256', ed25519Bytes(privateKey), 'base64'),
    on: (what, handler) => void handlers.set(what, handler),
    async register(server, change = {}) {
      const json = { name, baseUrl: `${base}/fasp/`, serverId: 'server-1', publicKey, ...change }
      const answer = await server.send('POST', '/api/fasp/registration', { json })
      if (answer.status === 200)
        known = {
          server,
          faspId: answer.json.faspId,
          publicKeyPem: pemFromEd25519(Buffer.from(answer.json.publicKey, 'base64')),
        }
      return answer
    },
    async call(method, path, json, { keyId, privateKey: key = privateKey, now, headers = {} } = {}) {
      if (known === null) throw new Error('the provider is not registered')
      const body = json === undefined ? '' : JSON.stringify(json)
      const signed: Record<string, string> = await signMessage({
        method,
        url: `http://${known.server.domain}/api/fasp${path}`,
        body,
        keyId: keyId ?? known.faspId,
        privateKeyPem: key,
        ...(now ? { now } : {}),
      })
      for (const [header, value] of Object.entries(headers)) {
        delete signed[header]
        if (value !== null) signed[header] = value
      }
      const answer = await send(known.server, { method, path: `/api/fasp${path}`, headers: signed, body })
      if (answer.status !== 401 && answer.status !== 429) {
        const { status, headers: given, text } = answer
        const prepared = prepareResponseSignature({ status, headers: given, body: Buffer.from(text) })
        if (!isSignedBy(prepared, known.publicKeyPem)) throw new Error('the response is not signed')
      }
      return answer
    },
    signsWith: (pem) => void (signingKey = pem),
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

type Sent = { method: string; path: string; headers: Record<string, string>; body: string }

/** Not by fetch, which names another host than the one that is signed. */
const send = (server: TestServer, { method, path, headers, body }: Sent): Promise<Called> =>
  new Promise((resolve, reject) => {
    const req = request(new URL(path, server.url), { method, headers, agent: false }, (res) => {
      void readBody(res).then((bytes) => {
        const text = bytes?.toString() ?? ''
        const json: unknown = /^[{[]/.test(text) ? JSON.parse(text) : undefined
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json })
      }, reject)
    })
    req.on('error', reject)
    req.end(body)
  })
