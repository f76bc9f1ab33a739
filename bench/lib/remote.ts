// A remote server on loopback with actors that local users follow. It delivers notes that were signed before the clock starts.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { generateRsaKeyPair, type KeyPair } from '../../src/ap/keys.ts'
import { signRequest } from '../../src/ap/signatures/draft-cavage.ts'
import type { User } from './community.ts'
import { once, requestBytes, send, type Call, type Target } from './http.ts'

const STREAMS = 'https://www.w3.org/ns/activitystreams'
const PUBLIC = `${STREAMS}#Public`
const TYPE = 'application/activity+json'

type Actor = { name: string; id: string; keys: KeyPair }
type Follow = { type: string; id: string; actor: string; object: string }

export class FakeRemote {
  readonly #target: Target
  #origin = ''
  #actors: Actor[] = []
  #accepted = 0
  readonly #server = createServer((request, response) => void this.#handle(request, response))

  constructor(target: Target) {
    this.#target = target
  }

  /** Creates actors whom each of the users follows. Returns the actors' ids on the local server. */
  async start(users: readonly User[], count: number): Promise<string[]> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#origin = `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`
    for (let i = 0; i < count; i++) {
      const name = `remote${i}`
      this.#actors.push({ name, id: `${this.#origin}/users/${name}`, keys: await generateRsaKeyPair() })
    }
    const ids: string[] = []
    for (const { id: uri } of this.#actors) {
      const path = `/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true&type=accounts&limit=1`
      const token = users[0]?.token as string
      const found = await send<{ accounts: { id: string }[] }>(this.#target, { method: 'GET', path, token })
      const id = found.accounts[0]?.id
      if (!id) throw new Error(`The server does not find ${uri}.`)
      ids.push(id)
      for (const user of users)
        await send(this.#target, { method: 'POST', path: `/api/v1/accounts/${id}/follow`, token: user.token })
    }
    await this.#untilAccepted(users.length * count)
    return ids
  }

  /** Requests that deliver one new public note each, by the actors in turns. */
  async deliveries(count: number): Promise<Buffer[]> {
    return Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const actor = this.#actors[i % this.#actors.length] as Actor
        return requestBytes(this.#target, await this.#signed(actor, this.#create(actor, `Note number ${i}`)))
      }),
    )
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #create(actor: Actor, text: string): object {
    const id = `${this.#origin}/notes/${randomUUID()}`
    const published = new Date().toISOString()
    const audience = { to: [PUBLIC], cc: [`${actor.id}/followers`] }
    const content = `<p>${text} of the benchmark, as long as short posts are</p>`
    const note = { id, type: 'Note', attributedTo: actor.id, content, published, url: id, ...audience }
    return {
      '@context': STREAMS,
      id: `${id}/create`,
      type: 'Create',
      actor: actor.id,
      published,
      ...audience,
      object: note,
    }
  }

  async #signed({ id, keys }: Actor, activity: object): Promise<Call> {
    const body = Buffer.from(JSON.stringify(activity))
    const { host: _, ...headers } = await signRequest({
      method: 'POST',
      url: `http://${this.#target.host}/inbox`,
      headers: { 'content-type': TYPE },
      body,
      keyId: `${id}#main-key`,
      privateKeyPem: keys.privateKeyPem,
    })
    return { method: 'POST', path: '/inbox', headers, body, type: TYPE }
  }

  async #untilAccepted(count: number): Promise<void> {
    for (const until = performance.now() + 30_000; this.#accepted < count; await delay(50))
      if (performance.now() > until)
        throw new Error(`Only ${this.#accepted} of ${count} follows reached the remote server.`)
    await delay(1000)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const url = new URL(request.url as string, this.#origin)
      const document = this.#find(url)
      const type = url.searchParams.has('resource') ? 'application/jrd+json' : TYPE
      response.writeHead(document ? 200 : 404, { 'content-type': type })
      response.end(JSON.stringify(document ?? {}))
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.writeHead(202).end()
    const activity = JSON.parse(Buffer.concat(chunks).toString()) as Follow
    if (activity.type === 'Follow') await this.#accept(activity)
  }

  #find({ pathname, searchParams, host }: URL): object | null {
    const handle = searchParams.get('resource')
    const actor = this.#actors.find(({ name }) =>
      pathname === '/.well-known/webfinger' ? handle === `acct:${name}@${host}` : pathname === `/users/${name}`,
    )
    if (!actor) return null
    if (!handle) return this.#document(actor)
    return { subject: handle, links: [{ rel: 'self', type: TYPE, href: actor.id }] }
  }

  async #accept(follow: Follow): Promise<void> {
    const actor = this.#actors.find(({ id }) => id === follow.object)
    if (!actor) return
    const id = `${actor.id}/accepts/${randomUUID()}`
    const activity = { '@context': STREAMS, id, type: 'Accept', actor: actor.id, to: [follow.actor], object: follow }
    const { status } = await once(this.#target, await this.#signed(actor, activity))
    if (status === 202) this.#accepted++
  }

  #document({ id, name, keys }: Actor): object {
    return {
      '@context': [STREAMS, 'https://w3id.org/security/v1'],
      id,
      type: 'Person',
      preferredUsername: name,
      name,
      inbox: `${id}/inbox`,
      outbox: `${id}/outbox`,
      followers: `${id}/followers`,
      following: `${id}/following`,
      url: id,
      endpoints: { sharedInbox: `${this.#origin}/inbox` },
      publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: keys.publicKeyPem },
    }
  }
}
