import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateRsaKeyPair } from '../../src/ap/keys.ts'
import { activityContentType } from '../../src/net/content-types.ts'
import { PUBLIC, type PeerActor } from './peer.ts'

/** Hosts with endless references: every document names new actors, posts, pages and files. */
export type World = {
  /** The requests to all hosts, as `GET http://host/path`. */
  requests: string[]
  actor(): PeerActor
  note(author: string): Record<string, unknown>
  stop(): Promise<void>
}

const HOSTS = 24
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** On loopback addresses (127.0.9.x). */
export async function startWorld(): Promise<World> {
  const keys = await generateRsaKeyPair()
  const requests: string[] = []
  const servers: Server[] = []
  const hosts: string[] = []
  let count = 0
  const fresh = (path: string): string => `http://${hosts[++count % HOSTS]}${path}/${count}`
  const collection = (id: string, type: string, more: object): object => ({ id, type, totalItems: 1_000_000, ...more })

  function note(author: string, id = `${author.replace('/users/', '/notes/')}.${++count}`): Record<string, unknown> {
    return {
      id,
      type: 'Note',
      attributedTo: author,
      to: [PUBLIC],
      published: new Date().toISOString(),
      content: `<p>See <a href="${fresh('/page')}">this</a></p>`,
      inReplyTo: fresh('/notes'),
      quote: fresh('/notes'),
      replies: `${id}/replies`,
      tag: [
        ...times(20, () => ({ type: 'Mention', href: fresh('/users'), name: '@x' })),
        ...times(5, (i) => ({ type: 'Emoji', name: `:e${i}:`, icon: { type: 'Image', url: fresh('/file') } })),
      ],
      ...(count % 2
        ? { attachment: times(4, () => ({ type: 'Image', mediaType: 'image/png', url: fresh('/file') })) }
        : {}),
    }
  }

  const actor = (uri: string): Record<string, unknown> => ({
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: uri,
    type: 'Person',
    preferredUsername: `u${uri.split('/').at(-1)}`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/page`,
    followers: `${uri}/page`,
    following: `${uri}/page`,
    featured: `${uri}/featured`,
    featuredTags: `${uri}/page`,
    movedTo: fresh('/users'),
    alsoKnownAs: times(20, () => fresh('/users')),
    icon: { type: 'Image', url: fresh('/file') },
    image: { type: 'Image', url: fresh('/file') },
    attachment: times(16, () => {
      const page = fresh('/page')
      return { type: 'PropertyValue', name: 'x', value: `<a href="${page}">${page}</a>` }
    }),
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: keys.publicKeyPem },
  })

  /** Another host than the actor's confirms the WebFinger of every second name. */
  function webfinger(resource: string): object {
    const [name = '', host = ''] = resource.replace('acct:', '').split('@')
    const n = Number(name.slice(1))
    const home = hosts[n % HOSTS] as string
    const other = hosts[(n + 1) % HOSTS] as string
    const subject = `acct:${name}@${n % 2 && host === home ? other : host}`
    return { subject, links: [{ rel: 'self', type: activityContentType, href: `http://${home}/users/${n}` }] }
  }

  const html = (): string => `<!doctype html><title>x</title><meta property="og:image" content="${fresh('/file')}">
    <meta name="fediverse:creator" content="@u${++count}@${hosts[count % HOSTS]}">
    <link rel="alternate" type="application/json+oembed" href="${fresh('/users')}">`

  function documentAt(url: string, path: string): object | null {
    if (path.endsWith('/replies') || path.endsWith('/page') || path.includes('?page='))
      return collection(url, 'OrderedCollectionPage', {
        orderedItems: times(100, () => fresh('/notes')),
        next: `${url.split('?')[0]}?page=${++count}`,
      })
    if (path.endsWith('/featured')) {
      const author = url.replace('/featured', '')
      const own = times(5, () => `${author.replace('/users/', '/notes/')}.${++count}`)
      return collection(url, 'OrderedCollection', { orderedItems: [...own, fresh('/notes'), fresh('/users'), url] })
    }
    if (path.startsWith('/users/')) return actor(url)
    if (path.startsWith('/notes/')) return note(url.replace('/notes/', '/users/').replace(/\.\d+$/, ''), url)
    return null
  }

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url ?? ''
    const url = `http://${req.headers.host}${path}`
    requests.push(`${req.method} ${url}`)
    const resource = new URL(url).searchParams.get('resource')
    const send = (type: string, body: string): unknown => res.writeHead(200, { 'content-type': type }).end(body)
    if (req.method === 'POST') res.writeHead(202).end()
    else if (resource !== null) send('application/jrd+json', JSON.stringify(webfinger(resource)))
    else if (path.startsWith('/page/')) send('text/html', html())
    else if (path.startsWith('/file/')) res.writeHead(302, { location: fresh('/file') }).end()
    else {
      const document = documentAt(url, path)
      if (document) send(activityContentType, JSON.stringify(document))
      else res.writeHead(404).end()
    }
  }

  for (let i = 0; i < HOSTS; i++) {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, `127.0.9.${i + 1}`, resolve))
    servers.push(server)
    hosts.push(`127.0.9.${i + 1}:${(server.address() as AddressInfo).port}`)
  }
  return {
    requests,
    note,
    actor() {
      const uri = fresh('/users')
      return { name: `u${count}`, uri, keyId: `${uri}#main-key`, keys, document: {} }
    },
    async stop() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
