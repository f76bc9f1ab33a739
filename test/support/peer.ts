import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { activityContentType } from '../../src/net/content-types.ts'
import { generateRsaKeyPair, type KeyPair } from '../../src/ap/keys.ts'
import { signRequest } from '../../src/ap/signatures/draft-cavage.ts'
import { readBody } from './request-body.ts'
import type { TestServer } from './server.ts'

type Served = { status?: number; type?: string; headers?: Record<string, string>; body: string | Buffer }
type Json = Record<string, any>

/** Tests may change `document`. */
export type PeerActor = { name: string; uri: string; keyId: string; keys: KeyPair; document: Json }

export type SendOptions = {
  /** Header changes after signing; null removes a header. */
  headers?: Record<string, string | null>
  /** Headers to send and sign. */
  signed?: Record<string, string>
  /** Sent instead of the signed body. */
  body?: string | Buffer
  keyId?: string
  host?: string
  contentType?: string
  now?: Date
  path?: string
}

/** A simulated remote server: it serves, signs and sends what a test defines. */
export type Peer = {
  url: string
  domain: string
  /** As `GET /path`. */
  requests: string[]
  received: Json[]
  /** The status with which to refuse a request. Null, the default, serves it. */
  refuses: (request: IncomingMessage) => number | null | Promise<number | null>
  /** Answers to every method. */
  serve(path: string, what: Json | Served): string
  /** Serves the actor's document, key and WebFinger. */
  actor(name: string, extra?: Json): Promise<PeerActor>
  /** Signs and posts an activity, and returns the status of the response. */
  send(to: TestServer, actor: PeerActor, activity: Json | string, options?: SendOptions): Promise<number>
  /** The ids are new. Members of `note` override the defaults. */
  create(actor: PeerActor, note: Json): Json
  stop(): Promise<void>
}

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

/** Of peers that have stopped. Generating a pair takes a processor as long as a short test. */
const freeKeys: KeyPair[] = []
/** The public keys of running peers. */
const usedKeys = new Set<string>()
/** At least the keys of the stock from which tests get theirs, in turns (scripts/lib/test-keys.js). */
const MAX_TRIES = 40

/** Keys that no other actor has, so that no signature is valid for two of them. Only above 40 actors do some share keys. */
async function takeKeys(): Promise<KeyPair> {
  for (let tries = 1; ; tries++) {
    const keys = freeKeys.pop() ?? (await generateRsaKeyPair())
    if (usedKeys.has(keys.publicKeyPem) && tries < MAX_TRIES) continue
    usedKeys.add(keys.publicKeyPem)
    return keys
  }
}

export async function startPeer(): Promise<Peer> {
  const documents = new Map<string, Served>()
  const ownKeys: KeyPair[] = []
  const requests: string[] = []
  const received: Json[] = []
  let count = 0
  const server = createServer((req, res) => void answer(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const domain = `localhost:${(server.address() as AddressInfo).port}`
  const url = `http://${domain}`

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests.push(`${req.method} ${req.url}`)
    const body = await readBody(req)
    if (!body) return
    const refusal = await peer.refuses(req)
    if (refusal !== null) {
      res.writeHead(refusal).end()
      return
    }
    if (req.method === 'POST' && !documents.has(req.url ?? '')) {
      received.push(JSON.parse(body.toString()) as Json)
      res.writeHead(202).end()
      return
    }
    const found = documents.get(req.url ?? '')
    res
      .writeHead(found?.status ?? (found ? 200 : 404), {
        'content-type': found?.type ?? activityContentType,
        ...found?.headers,
      })
      .end(found?.body ?? '')
  }

  const peer: Peer = {
    url,
    domain,
    requests,
    received,
    refuses: () => null,
    serve(path, what) {
      const isServed = typeof what['body'] === 'string' || Buffer.isBuffer(what['body'])
      documents.set(path, isServed ? (what as Served) : { body: JSON.stringify(what) })
      return `${url}${path}`
    },
    async actor(name, extra = {}) {
      const keys = await takeKeys()
      ownKeys.push(keys)
      const uri = `${url}/users/${name}`
      const document: Json = {
        '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
        id: uri,
        type: 'Person',
        preferredUsername: name,
        name,
        inbox: `${uri}/inbox`,
        followers: `${uri}/followers`,
        publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: keys.publicKeyPem },
        ...extra,
      }
      peer.serve(`/users/${name}`, document)
      serveHandle(peer, name, uri)
      return { name, uri, keyId: `${uri}#main-key`, keys, document }
    },
    async send(to, actor, activity, options = {}) {
      const body = typeof activity === 'string' ? activity : JSON.stringify(activity)
      const path = options.path ?? '/inbox'
      const contentType = options.contentType ?? 'application/activity+json'
      const signed = await signRequest({
        method: 'POST',
        url: `http://${options.host ?? to.domain}${path}`,
        body,
        keyId: options.keyId ?? actor.keyId,
        privateKeyPem: actor.keys.privateKeyPem,
        headers: options.signed ?? {},
        ...(options.now ? { now: options.now } : {}),
      })
      const headers: Record<string, string> = { ...signed, 'content-type': contentType, ...options.signed }
      for (const [name, value] of Object.entries(options.headers ?? {})) {
        if (value === null) delete headers[name]
        else headers[name] = value
      }
      return post(to, path, headers, options.body ?? body)
    },
    create(actor, note) {
      const id = `${url}/notes/${++count}`
      const object = {
        id,
        type: 'Note',
        attributedTo: actor.uri,
        content: '<p>hi</p>',
        to: [PUBLIC],
        cc: [],
        published: new Date().toISOString(),
        ...note,
      }
      return {
        id: `${url}/activities/${count}`,
        type: 'Create',
        actor: actor.uri,
        to: object.to,
        cc: object.cc,
        object,
      }
    },
    stop: () =>
      new Promise((resolve) => {
        for (const { publicKeyPem } of ownKeys) usedKeys.delete(publicKeyPem)
        freeKeys.push(...ownKeys.splice(0))
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return peer
}

/** The headers of a GET that is signed, without `host`, which fetch sets itself. */
export async function signedHeaders(
  url: string,
  { keyId, keys }: { keyId: string; keys: { privateKeyPem: string } },
): Promise<Record<string, string>> {
  const { host: _, ...headers } = await signRequest({ method: 'GET', url, keyId, privateKeyPem: keys.privateKeyPem })
  return headers
}

/** `subject` is the handle in the response. */
export function serveHandle(peer: Peer, name: string, uri: string, subject = `${name}@${peer.domain}`): void {
  const body = JSON.stringify({
    subject: `acct:${subject}`,
    links: [{ rel: 'self', type: 'application/activity+json', href: uri }],
  })
  peer.serve(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${name}@${peer.domain}`)}`, {
    type: 'application/jrd+json',
    body,
  })
}

function post(to: TestServer, path: string, headers: Record<string, string>, body: string | Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request(new URL(path, to.url), { method: 'POST', headers, agent: false }, (res) => {
      res.resume()
      resolve(res.statusCode ?? 0)
    })
    req.on('error', reject)
    req.end(body)
  })
}
