import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { instanceKey, signingKey } from '../../src/domain/accounts/keys.ts'
import { befriend, copyOf } from '../support/federated-people.ts'
import { type Network, startNetwork } from '../support/network.ts'
import { signedHeaders, startPeer, type PeerActor } from '../support/peer.ts'
import { startTestServer, type Answer, type Person, type TestServer } from '../support/server.ts'

const ACCEPT = { accept: 'application/activity+json' }

let network: Network<'closed' | 'peer'>
let closed: TestServer
let peer: TestServer
let ada: Person
let follower: Person
let publicUri: string
let privateUri: string

/** A GET of a document of `closed`, signed by an account of `peer`, or by `peer` itself. */
async function signedAnswer(uri: string, by: string | null): Promise<Answer> {
  const key = by === null ? await instanceKey(peer.ctx) : await signingKey(peer.ctx, by)
  const headers = await signedHeaders(uri, { keyId: key.keyId, keys: key })
  return closed.send('GET', uri, { headers: { ...ACCEPT, ...headers } })
}

const signedGet = async (uri: string, by: string | null): Promise<number> => (await signedAnswer(uri, by)).status

// Both want every request for a document signed: each must be able to read the actor of the other.
before(async () => {
  network = await startNetwork(['closed', 'peer'], { AUTHORIZED_FETCH: 'true' })
  ;({ closed, peer } = network)
  ada = await closed.person('ada')
  follower = await peer.person('follower')
  await befriend(network, [peer, follower], [closed, ada])
  publicUri = (await ada.post('/api/v1/statuses', { status: 'for all' })).uri
  privateUri = (await ada.post('/api/v1/statuses', { status: 'for followers', visibility: 'private' })).uri
})
after(() => network?.stop())

test('servers in secure mode find, follow and reply to each other', async () => {
  await network.drain()
  const copy = await copyOf(follower, publicUri)
  assert.equal(copy.content, '<p>for all</p>')
  const reply = await follower.post('/api/v1/statuses', { status: 'hello yourself', in_reply_to_id: copy.id })
  await network.drain()
  assert.equal((await copyOf(ada, reply.uri)).in_reply_to_id, new URL(publicUri).pathname.split('/').at(-1))
  const anna = await closed.person('anna')
  const unseen = await anna.post('/api/v1/statuses', { status: 'fetched, not delivered', visibility: 'unlisted' })
  const { statuses } = await follower.get(`/api/v2/search?q=${encodeURIComponent(unseen.uri)}&resolve=true`)
  assert.equal(statuses.length, 1)
})

test('secure mode serves documents to signed requests only, apart from the instance actor', async () => {
  for (const uri of [
    publicUri,
    `${closed.ctx.config.baseUrl}/users/ada`,
    `${closed.ctx.config.baseUrl}/users/ada/outbox`,
    `${closed.ctx.config.baseUrl}/@ada`,
  ]) {
    assert.equal((await closed.send('GET', new URL(uri).pathname, { headers: ACCEPT })).status, 401, uri)
    assert.equal(await signedGet(uri, null), 200, uri)
  }
  assert.equal((await closed.send('GET', '/actor', { headers: ACCEPT })).status, 200)
})

test('a signed request of a follower reads followers-only posts, other requests do not', async () => {
  const outsider = await peer.person('stranger')
  assert.equal(await signedGet(privateUri, follower.id), 200)
  assert.equal(await signedGet(privateUri, outsider.id), 404)
  assert.equal(await signedGet(privateUri, null), 404)
  assert.equal((await closed.send('GET', new URL(privateUri).pathname, { headers: ACCEPT })).status, 401)
})

test('an authorization is shown to accounts that may see both posts, that of a quote to accounts that may see the quoted one', async () => {
  const [bea, outsider] = [await closed.person('bea'), await peer.person('guesser')]
  await follower.post('/api/v1/follows', { uri: `bea@${closed.domain}` })
  for (const server of [peer, closed, peer]) await server.drain()
  const answers = async (uri: string): Promise<number[]> =>
    Promise.all([signedGet(uri, follower.id), signedGet(uri, outsider.id), signedGet(uri, null)])
  const { id: parentId } = await bea.post('/api/v1/statuses', { status: 'parent' })
  const replyTo = async (in_reply_to_id: string, visibility: string): Promise<number[]> => {
    const reply = await bea.post('/api/v1/statuses', { status: 'reply', visibility, in_reply_to_id })
    return answers(`${closed.ctx.config.baseUrl}/users/bea/reply_authorizations/${reply.id}`)
  }
  for (const [visibility, expected] of [
    ['public', [200, 200, 200]],
    ['unlisted', [200, 200, 200]],
    ['private', [200, 404, 404]],
    ['direct', [404, 404, 404]],
  ] as const)
    assert.deepEqual(await replyTo(parentId, visibility), expected, visibility)
  const { id: privateId } = await bea.post('/api/v1/statuses', { status: 'parent', visibility: 'private' })
  assert.deepEqual(await replyTo(privateId, 'public'), [200, 404, 404], 'a reply to a private post')
  // FEP-044f: every server that receives a quote verifies it, so that the quoted post alone decides.
  for (const [quoted_status_id, expected] of [
    [parentId, [200, 200, 200]],
    [privateId, [200, 404, 404]],
  ] as const) {
    const quote = await bea.post('/api/v1/statuses', { status: 'quote', visibility: 'private', quoted_status_id })
    const note = JSON.parse((await signedAnswer(quote.uri, follower.id)).text)
    assert.deepEqual(await answers(note.quoteAuthorization), expected)
  }
})

test('an outbox shows followers-only posts to followers, and collections show nothing to accounts that their owner blocks', async () => {
  const outsider = await peer.person('passer')
  const gil = await peer.person('gil')
  await gil.post('/api/v1/follows', { uri: `ada@${closed.domain}` })
  for (const server of [peer, closed, peer]) await server.drain()
  const shown = async (by: string | null): Promise<string[]> => {
    const answer = await signedAnswer(`${closed.ctx.config.baseUrl}/users/ada/outbox?page=true`, by)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    return JSON.parse(answer.text).orderedItems.map(({ object }: any) => object.id)
  }
  assert.deepEqual(await shown(gil.id), [privateUri, publicUri])
  for (const by of [outsider.id, null]) assert.deepEqual(await shown(by), [publicUri])
  await ada.post('/api/v1/featured_tags', { name: 'rooks' })
  await ada.post(`/api/v1/statuses/${publicUri.split('/').at(-1)}/pin`)
  /** How many items each collection of the account lists. */
  const listed = async (by: string): Promise<number[]> => {
    const collections = ['followers?page=true', 'following?page=true', 'collections/featured', 'collections/tags']
    const answers = collections.map((path) => signedAnswer(`${closed.ctx.config.baseUrl}/users/ada/${path}`, by))
    return (await Promise.all(answers)).map(({ json }) => (json.orderedItems ?? json.items ?? []).length)
  }
  const [{ id: gilsId }] = await ada.get(`/api/v1/accounts/search?q=gil@${peer.domain}`)
  await ada.post(`/api/v1/accounts/${gilsId}/follow`)
  for (const server of [closed, peer, closed]) await server.drain()
  assert.deepEqual(await listed(gil.id), [2, 1, 1, 1])
  assert.deepEqual(await listed(outsider.id), [2, 1, 1, 1])
  const found = async ({ username }: Person): Promise<string> =>
    (await ada.get(`/api/v1/accounts/lookup?acct=${username}@${peer.domain}`)).id
  await ada.post(`/api/v1/accounts/${await found(outsider)}/block`)
  assert.deepEqual(await shown(outsider.id), [])
  assert.deepEqual(await listed(outsider.id), [0, 0, 0, 0])
  await ada.post('/api/v1/domain_blocks', { domain: peer.domain })
  try {
    assert.deepEqual(await shown(gil.id), [])
    assert.deepEqual(await listed(gil.id), [0, 0, 0, 0])
  } finally {
    await ada.send('DELETE', `/api/v1/domain_blocks?domain=${peer.domain}`)
  }
})

test('a signer without a handle reads public posts, as Akkoma and Lemmy sign', async () => {
  const far = await startPeer()
  try {
    const site = await far.actor('site')
    const { preferredUsername: _, ...nameless } = site.document
    far.serve('/users/site', { ...nameless, type: 'Application' })
    const get = async (address: string, by: PeerActor): Promise<number> => {
      const headers = { ...ACCEPT, ...(await signedHeaders(address, by)) }
      return (await closed.send('GET', address, { headers })).status
    }
    for (const round of [1, 2]) assert.equal(await get(publicUri, site), 200, `round ${round}`)
    assert.equal(await get(`${closed.ctx.config.baseUrl}/users/ada`, site), 200)
    assert.equal(await get(privateUri, site), 404)
    const { keys } = await far.actor('other')
    assert.equal(await get(publicUri, { ...site, keys }), 401, 'another key')
    assert.equal(await get(publicUri, { ...site, keyId: `${site.uri}#other-key` }), 401, 'a key that it does not name')
  } finally {
    await far.stop()
  }
})

test('a signature of another address is refused in secure mode', async () => {
  const { keyId, ...keys } = await signingKey(peer.ctx, follower.id)
  const headers = await signedHeaders(publicUri, { keyId, keys })
  const answer = await closed.send('GET', privateUri, { headers: { ...ACCEPT, ...headers } })
  assert.equal(answer.status, 401)
})

test("public posts are served without fetching the signer's key; other posts fetch it", async () => {
  const [open, far] = await Promise.all([startTestServer(), startPeer()])
  try {
    const cay = await open.person('cay')
    const { uri } = await cay.post('/api/v1/statuses', { status: 'for all' })
    const hidden = await cay.post('/api/v1/statuses', { status: 'for followers', visibility: 'private' })
    const { uri: cayUri } = await cay.get(`/api/v1/accounts/${cay.id}`)
    const get = async (by: PeerActor, address: string): Promise<[number, string | null]> => {
      const headers = { ...ACCEPT, ...(await signedHeaders(address, by)) }
      const answer = await open.send('GET', address, { headers })
      return [answer.status, answer.headers.get('cache-control')?.split(',')[0] ?? null]
    }
    const eve = await far.actor('eve')
    far.refuses = () => 503
    for (const address of [cayUri, `${cayUri}/outbox`, `${cayUri}/followers?page=true`, uri])
      assert.deepEqual(await get(eve, address), [200, 'public'], address)
    assert.deepEqual(far.requests, [])
    assert.equal((await get(eve, hidden.uri))[0], 404)
    assert.deepEqual(far.requests, ['GET /users/eve'])
    far.refuses = () => null
    const fay = await far.actor('fay')
    assert.equal((await get(fay, hidden.uri))[0], 404)
    assert.deepEqual(await get(fay, uri), [200, 'private'], 'her key is known by now')
    const gil = await far.actor('gil')
    await cay.post('/api/v1/domain_blocks', { domain: far.domain })
    assert.equal((await get(gil, uri))[0], 404, 'cay blocks where gil is')
  } finally {
    await Promise.all([open.stop(), far.stop()])
  }
})

test('local users can read as before', async () => {
  assert.equal((await ada.send('GET', '/api/v1/timelines/home')).status, 200)
  assert.equal((await closed.send('GET', '/api/v2/instance')).status, 200)
})
