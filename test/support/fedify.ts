import {
  createFederation,
  exportJwk,
  generateCryptoKeyPair,
  importJwk,
  MemoryKvStore,
  type Context as FedifyContext,
} from '@fedify/fedify'
import {
  Accept,
  Create,
  Endpoints,
  Follow,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Undo,
  type Activity,
  type Object as ActivityPubObject,
} from '@fedify/fedify/vocab'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from './request-body.ts'

/** An actor that runs on Fedify, an independent implementation of ActivityPub. It records what it receives. */
export type FedifyPeer = {
  handle: string
  received: Activity[]
  follow(actorUri: string): Promise<void>
  unfollow(): Promise<void>
  /** Sends a public note to its followers, or a reply to the author. Returns the id of the note. */
  post(content: string, answer?: { inReplyTo: string; to: string }): Promise<string>
  lookUp(uri: string): Promise<ActivityPubObject | null>
  /** For further documents, such as the next page of a collection. */
  documentLoader: FedifyContext<null>['documentLoader']
  stop(): Promise<void>
}

const NAME = 'robin'

/** The key that signs requests, and the one that signs the proofs of activities. */
const KEYS = ['RSASSA-PKCS1-v1_5', 'Ed25519'] as const

export async function startFedify(): Promise<FedifyPeer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const domain = `localhost:${(server.address() as AddressInfo).port}`
  const received: Activity[] = []
  const followers = new Map<string, Person>()
  const pairs = await Promise.all(
    KEYS.map(async (kind) => {
      const { publicKey, privateKey } = await generateCryptoKeyPair(kind)
      return { publicKey: await exportJwk(publicKey), privateKey: await exportJwk(privateKey) }
    }),
  )

  const federation = createFederation<null>({
    kv: new MemoryKvStore(),
    origin: `http://${domain}`,
    allowPrivateAddress: true,
  })
  federation
    .setActorDispatcher('/users/{identifier}', async (ctx, identifier) => {
      if (identifier !== NAME) return null
      const keys = await ctx.getActorKeyPairs(identifier)
      return new Person({
        id: ctx.getActorUri(identifier),
        preferredUsername: NAME,
        name: 'Robin of Fedify',
        inbox: ctx.getInboxUri(identifier),
        followers: ctx.getFollowersUri(identifier),
        endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
        publicKey: keys[0]!.cryptographicKey,
        assertionMethods: keys.map((key) => key.multikey),
      })
    })
    .setKeyPairsDispatcher(() =>
      Promise.all(
        pairs.map(async ({ publicKey, privateKey }) => ({
          publicKey: await importJwk(publicKey, 'public'),
          privateKey: await importJwk(privateKey, 'private'),
        })),
      ),
    )
  federation.setFollowersDispatcher('/users/{identifier}/followers', async () => ({ items: [...followers.values()] }))
  federation
    .setInboxListeners('/users/{identifier}/inbox', '/inbox')
    .on(Follow, async (ctx, follow) => {
      received.push(follow)
      const follower = await follow.getActor(ctx)
      if (!(follower instanceof Person) || !follower.id) return
      followers.set(follower.id.href, follower)
      const id = new URL(`#accepts/${crypto.randomUUID()}`, ctx.getActorUri(NAME))
      await ctx.sendActivity(
        { identifier: NAME },
        follower,
        new Accept({ id, actor: ctx.getActorUri(NAME), object: follow }),
      )
    })
    .on(Accept, (_ctx, accept) => void received.push(accept))
    .on(Create, (_ctx, create) => void received.push(create))
    .on(Undo, (_ctx, undo) => void received.push(undo))

  server.on('request', (req, res) => void serve(req, res))
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const sent = await readBody(req)
    if (!sent) return
    const headers = Object.entries(req.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const body = req.method === 'GET' || req.method === 'HEAD' ? null : Uint8Array.from(sent)
    const answer = await federation.fetch(
      new Request(`http://${domain}${req.url}`, { method: req.method ?? 'GET', headers, body }),
      { contextData: null },
    )
    res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
  }

  const context = (): FedifyContext<null> => federation.createContext(new URL(`http://${domain}`), null)
  const find = async (uri: string): Promise<Person> => {
    const actor = await context().lookupObject(uri)
    if (!(actor instanceof Person)) throw new Error(`${uri} is not a Person`)
    return actor
  }
  let following: { activity: Follow; target: Person } | null = null
  const uriOf = (kind: string): URL => new URL(`http://${domain}/${kind}/${crypto.randomUUID()}`)

  return {
    handle: `${NAME}@${domain}`,
    received,
    async follow(actorUri) {
      const target = await find(actorUri)
      const activity = new Follow({
        id: uriOf('follows'),
        actor: context().getActorUri(NAME),
        object: target.id,
        to: target.id,
      })
      following = { activity, target }
      await context().sendActivity({ identifier: NAME }, target, activity)
    },
    async unfollow() {
      if (!following) throw new Error('no account is followed')
      const undo = new Undo({ id: uriOf('undos'), actor: context().getActorUri(NAME), object: following.activity })
      await context().sendActivity({ identifier: NAME }, following.target, undo)
    },
    async post(content, answer) {
      const id = uriOf('notes')
      const recipients = answer ? [await find(answer.to)] : [...followers.values()]
      const audience = {
        to: PUBLIC_COLLECTION,
        ccs: [context().getFollowersUri(NAME), ...(answer ? [new URL(answer.to)] : [])],
      }
      const attribution = context().getActorUri(NAME)
      const note = new Note({
        id,
        attribution,
        content,
        ...audience,
        ...(answer ? { replyTarget: new URL(answer.inReplyTo) } : {}),
      })
      await context().sendActivity(
        { identifier: NAME },
        recipients,
        new Create({ id: uriOf('creates'), actor: attribution, object: note, ...audience }),
      )
      return id.href
    },
    lookUp: (uri) => context().lookupObject(uri),
    documentLoader: context().documentLoader,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
