// Followers synchronization (FEP-8fcf): digests in followers-only deliveries, and corrections where two servers disagree.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { handleOf, startNetwork, type Network } from '../support/network.ts'
import { befriend } from '../support/federated-people.ts'
import { serveHandle, signedHeaders, startPeer, type Peer, type PeerActor } from '../support/peer.ts'
import type { Person, TestServer } from '../support/server.ts'

let network: Network<'here' | 'there'>
let here: TestServer
let there: TestServer
let peer: Peer
let ada: Person
let bob: Person
let eve: PeerActor
let eveId: string
const uriOf = (name: string): string => `http://${here.domain}/users/${name}`

before(async () => {
  network = await startNetwork(['here', 'there'])
  peer = await startPeer()
  ;({ here, there } = network)
  ;[ada, bob] = await Promise.all([here.person('ada'), there.person('bob')])
  eve = await peer.actor('eve')
  eveId = (await ada.get(`/api/v2/search?q=${encodeURIComponent(eve.uri)}&resolve=true`)).accounts[0].id
})
after(() => Promise.all([network?.stop(), peer?.stop()]))

function digestOf(uris: readonly string[]): string {
  const sum = uris
    .map((uri) => BigInt(`0x${createHash('sha256').update(uri).digest('hex')}`))
    .reduce((all, one) => all ^ one, 0n)
  return sum.toString(16).padStart(64, '0')
}

const follows = async (person: Person): Promise<boolean> =>
  (await person.get(`/api/v1/accounts/relationships?id[]=${eveId}`))[0].following

/** Eve speaks to her followers, and says with it who of them are of this server. */
async function speak(
  digest: string,
  listed: unknown,
  more: { collectionId?: string; url?: string; unsigned?: boolean } = {},
): Promise<void> {
  const url = peer.serve('/users/eve/followers_synchronization', {
    id: `${eve.uri}/followers_synchronization`,
    type: 'OrderedCollection',
    ...(Array.isArray(listed) ? { orderedItems: listed } : (listed as object)),
  })
  const { unsigned: _, ...changes } = more
  const said = { collectionId: `${eve.uri}/followers`, url, ...changes }
  const activity = peer.create(eve, { to: [`${eve.uri}/followers`] })
  const header = `collectionId="${said.collectionId}", url="${said.url}", digest="${digest}"`
  const headers = { 'collection-synchronization': header }
  assert.equal(await peer.send(here, eve, activity, more.unsigned ? { headers } : { signed: headers }), 202)
  await here.drain()
}

test('a follow that only one server knows is removed on both', async () => {
  const cay = await here.person('cay')
  const [adaUri, cayUri] = [uriOf('ada'), uriOf('cay')]
  for (const person of [ada, cay]) {
    await person.post(`/api/v1/accounts/${eveId}/follow`)
    await here.drain()
  }
  const accept = (who: string) => ({ type: 'Accept', actor: eve.uri, object: { type: 'Follow', actor: uriOf(who) } })
  await peer.send(here, eve, accept('ada'))
  await here.drain()
  const state = async (): Promise<boolean[]> => [await follows(ada), await follows(cay)]
  assert.deepEqual(await state(), [true, false])
  // They agree: nothing is asked.
  peer.requests.length = 0
  await speak(digestOf([adaUri]), [adaUri])
  assert.deepEqual(peer.requests, [])
  // The acceptance of cay's request was lost on the way.
  await speak(digestOf([adaUri, cayUri]), { first: { type: 'OrderedCollectionPage', orderedItems: [adaUri, cayUri] } })
  assert.deepEqual(await state(), [true, true])
  // What is no more than a claim changes nothing: another list than announced, another collection, another server.
  await speak(digestOf([cayUri]), [])
  await speak(digestOf([]), [], { collectionId: `${peer.url}/users/other/followers` })
  await speak(digestOf([]), [], { url: `http://${there.domain}/users/bob/followers_synchronization` })
  await speak('', [])
  // Nor does a header that the signature does not cover: nothing is asked.
  peer.requests.length = 0
  await speak(digestOf([cayUri]), [cayUri], { unsigned: true })
  assert.deepEqual(peer.requests, [])
  assert.deepEqual(await state(), [true, true])
  peer.received.length = 0
  await speak(digestOf([cayUri]), [cayUri])
  assert.deepEqual(await state(), [false, true])
  // The follow of dan is unknown here.
  await here.person('dan')
  const both = [cayUri, uriOf('dan'), uriOf('nobody')]
  await speak(digestOf(both), both)
  const undone = peer.received.map(({ type, object }) => [type, object.type, object.actor, object.object])
  // They are delivered by workers that run beside each other.
  assert.deepEqual(
    undone.toSorted(([, , one], [, , other]) => String(one).localeCompare(String(other))),
    [
      ['Undo', 'Follow', adaUri, eve.uri],
      ['Undo', 'Follow', uriOf('dan'), eve.uri],
    ],
  )
  assert.deepEqual(await state(), [false, true])
})

test('a list with very many accounts that follow no one makes few of them send an Undo', async () => {
  const { rows } = await here.database.raw(
    `with other as (
      insert into accounts (id, username) select n, 'other' || n from generate_series(1, 60) n returning id, username
    ), joined as (
      insert into users (id, account_id, email, password_hash, confirmed_at) select id, id, username || '@a.test', 'none', now() from other
    ), key as (
      insert into account_keys (key_id, account_id, public_key, private_key)
      select $1 || other.username || '#main-key', other.id, k.public_key, k.private_key
      from other cross join (select public_key, private_key from account_keys where key_id = $1 || 'ada#main-key') k
    )
    select username from other`,
    [uriOf('')],
  )
  const listed = rows.map(({ username }: { username: string }) => uriOf(username))
  peer.received.length = 0
  await speak(digestOf(listed), listed)
  const undone = peer.received.filter(({ object }) => listed.includes(object.actor))
  assert.ok(undone.length >= 40 && undone.length <= 50, String(undone.length))
})

test('a list with guessed names does not show who has asked to join', async () => {
  await here.person('applicant', { confirmed: false })
  const uri = uriOf('applicant')
  peer.received.length = 0
  await speak(digestOf([uri]), [uri])
  assert.deepEqual(
    peer.received.filter(({ actor }) => actor === uri),
    [],
  )
})

test('a delivery carries a digest of the followers on that server, which can fetch their list', async () => {
  await befriend(network, [there, bob], [here, ada])
  const follow = { id: `${peer.url}/f/1`, type: 'Follow', actor: eve.uri, object: uriOf('ada') }
  assert.equal(await peer.send(here, eve, follow), 202)
  await followFromRoot()
  await network.drain()
  const said: (string | undefined)[] = []
  peer.refuses = (request) => {
    if (request.method === 'POST') {
      said.push(request.headers['collection-synchronization'] as string | undefined)
      assert.ok(
        said.at(-1) === undefined || /headers="[^"]*collection-synchronization/.test(String(request.headers.signature)),
      )
    }
    return null
  }
  for (const visibility of ['public', 'private']) {
    await ada.post('/api/v1/statuses', { status: 'to my followers', visibility })
    await network.drain()
  }
  const url = `${uriOf('ada')}/followers_synchronization`
  assert.deepEqual(said, [
    undefined,
    `collectionId="${uriOf('ada')}/followers", url="${url}", digest="${digestOf([eve.uri, peer.url])}"`,
  ])
  const ask = (more: object): Promise<Response> =>
    fetch(url, { headers: { accept: 'application/activity+json', ...more } })
  const answer = await ask(await signedHeaders(url, eve))
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  const { orderedItems, type } = (await answer.json()) as any
  assert.deepEqual([type, orderedItems], ['OrderedCollection', [eve.uri, peer.url]])
  assert.equal((await ask({})).status, 401)
})

/** By an actor whose id is the address of its server, with eve's inbox. */
async function followFromRoot(): Promise<void> {
  const [uri, keyId] = [peer.url, `${peer.url}#main-key`]
  const root = await peer.actor('root', { id: uri, inbox: `${eve.uri}/inbox` })
  const publicKey = { ...root.document['publicKey'], id: keyId, owner: uri }
  peer.serve('/', { ...root.document, publicKey })
  serveHandle(peer, 'root', uri)
  const follow = { id: `${uri}/f/2`, type: 'Follow', actor: uri, object: uriOf('ada') }
  assert.equal(await peer.send(here, { ...root, uri, keyId }, follow), 202)
}

test('two servers synchronize followers with the next followers-only post', async () => {
  const found = (await bob.get(`/api/v2/search?q=${handleOf(here, ada)}`)).accounts[0]
  const following = async (): Promise<boolean> =>
    (await bob.get(`/api/v1/accounts/relationships?id[]=${found.id}`))[0].following
  assert.equal(await following(), true)
  await here.ctx.db.run(
    sql`delete from follows where target_account_id = ${ada.id} and account_id in (select id from accounts where username = 'bob')`,
  )
  await ada.post('/api/v1/statuses', { status: `psst @${handleOf(there, bob)}`, visibility: 'private' })
  await network.drain()
  assert.equal(await following(), false)
})

test('a followers list is read up to a page limit, and only on the host of its account', async () => {
  const other = await startPeer()
  try {
    const page = (n: number) => `/users/eve/endless?page=${n}`
    for (let n = 0; n < 60; n++)
      peer.serve(page(n), { type: 'OrderedCollectionPage', orderedItems: [], next: `${peer.url}${page(n + 1)}` })
    const url = peer.serve('/users/eve/endless', { type: 'OrderedCollection', first: `${peer.url}${page(0)}` })
    peer.requests.length = 0
    await speak(digestOf([uriOf('ada')]), [], { url })
    assert.ok(peer.requests.length > 0 && peer.requests.length <= 10, String(peer.requests.length))
    const away = other.serve('/list', { type: 'OrderedCollection', orderedItems: [] })
    peer.serve('/users/eve/away', { status: 302, body: '', headers: { location: away } })
    await speak(digestOf([uriOf('ada')]), [], { url: `${peer.url}/users/eve/away` })
    assert.deepEqual(other.requests, [])
    peer.serve('/users/eve/gone', { status: 410, body: '' })
    await speak(digestOf([uriOf('ada')]), [], { url: `${peer.url}/users/eve/gone` })
    const { rows: retried } = await here.database.raw(
      `select from pgboss.job where name = 'federation.synchronize' and state = 'retry'`,
    )
    assert.equal(retried.length, 0, 'a list that is gone is not read again')
  } finally {
    await other.stop()
  }
})
