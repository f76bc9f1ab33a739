// Requests of a simulated peer to have local accounts in its collections (FEP-7aa9), in the form that Mastodon sends
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCollection, discoverablePerson } from '../support/collections.ts'
import { type PeerActor, startPeer } from '../support/peer.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const accept = 'application/activity+json'
const base = server.ctx.config.baseUrl
const readDocument = (uri: string): Promise<any> => server.send('GET', new URL(uri).pathname, { headers: { accept } })

let count = 0
function serveCollection(owner: PeerActor, extra: object = {}): string {
  const path = `/ap/users/${owner.name}/collections/${++count}`
  return peer.serve(path, {
    id: `${peer.url}${path}`,
    type: 'FeaturedCollection',
    attributedTo: owner.uri,
    name: 'Good people',
    summaryMap: { en: '<p>Follow <script>x</script>them</p>' },
    url: `${peer.url}/collections/${count}`,
    sensitive: false,
    discoverable: true,
    topic: { type: 'Hashtag', name: '#people' },
    published: '2026-03-09T15:19:25Z',
    updated: '2026-03-09T15:19:25Z',
    totalItems: 0,
    orderedItems: [],
    ...extra,
  })
}

/** Mastodon's request names no actor. Returns the answer. */
async function request(owner: PeerActor, instrument: string, object: string): Promise<any> {
  const id = `${owner.uri}/feature_requests/${++count}`
  const status = await peer.send(server, owner, { id, type: 'FeatureRequest', instrument, object })
  assert.equal(status, 202)
  await server.drain()
  return peer.received.findLast(({ object: answered }) => answered?.id === id)
}

const collectionsWith = async (who: { id: string; get(path: string): Promise<any> }): Promise<any[]> =>
  (await who.get(`/api/v1/accounts/${who.id}/in_collections`)).collections
const added = (who: { get(path: string): Promise<any> }): Promise<any[]> =>
  who.get('/api/v1/notifications?types[]=added_to_collection')

test('a discoverable account is featured and notified, and its authorization can be fetched', async () => {
  const [eve, bob] = [await peer.actor('eve'), await discoverablePerson(server, 'bob')]
  const uri = serveCollection(eve)
  const answer = await request(eve, uri, `${base}/users/bob`)
  assert.deepEqual(
    [answer.type, answer.actor, answer.to, answer.object.type, answer.object.instrument],
    ['Accept', `${base}/users/bob`, eve.uri, 'FeatureRequest', uri],
  )
  const { '@context': _, ...authorization } = (await readDocument(answer.result)).json
  assert.deepEqual(authorization, {
    id: answer.result,
    type: 'FeatureAuthorization',
    attributedTo: `${base}/users/bob`,
    interactingObject: uri,
    interactionTarget: `${base}/users/bob`,
  })
  const [collection] = await collectionsWith(bob)
  assert.deepEqual(
    [collection.uri, collection.url, collection.local, collection.name, collection.description, collection.language],
    [uri, `${peer.url}/collections/1`, false, 'Good people', '<p>Follow them</p>', 'en'],
  )
  assert.deepEqual([collection.tag.name, collection.items[0].account_id, collection.item_count], ['people', bob.id, 1])
  const [notification] = await added(bob)
  assert.deepEqual([notification.account.acct, notification.collection.uri], [`eve@${peer.domain}`, uri])
  const again = await request(eve, uri, `${base}/users/bob`)
  assert.equal(again.result, answer.result, 'a second request gets the same authorization')
  assert.equal((await added(bob)).length, 1)
  for (const path of [`/collections/${collection.id}`, `/users/eve/collections/${collection.id}`])
    assert.equal(
      (await readDocument(`${base}${path}`)).status,
      404,
      'a remote collection is no document of this server',
    )
})

test('the actor says who may feature it, and where its collections are', async () => {
  const cleo = await discoverablePerson(server, 'cleo')
  const actorOf = async (name: string): Promise<any> => (await readDocument(`${base}/users/${name}`)).json
  const policy = (who: string): object => ({ canFeature: { automaticApproval: [who] } })
  assert.deepEqual((await actorOf('cleo')).interactionPolicy, policy('https://www.w3.org/ns/activitystreams#Public'))
  assert.deepEqual((await actorOf('ada')).interactionPolicy, policy(`${base}/users/ada`))
  const una = await discoverablePerson(server, 'una')
  await una.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  assert.deepEqual((await actorOf('una')).interactionPolicy, policy(`${base}/users/una/followers`))
  const open = await createCollection(cleo, { name: 'Open', account_ids: [cleo.id] })
  await createCollection(cleo, { name: 'Hidden', discoverable: false })
  const { featuredCollections } = await actorOf('cleo')
  const index = (await readDocument(featuredCollections)).json
  assert.deepEqual([index.type, index.totalItems], ['OrderedCollection', 1])
  const page = (await server.send('GET', index.first.slice(base.length), { headers: { accept } })).json
  const { '@context': _, ...document } = (await readDocument(open.uri)).json
  assert.deepEqual(page.orderedItems, [document])
})

test('an account that is not discoverable, or blocks the owner or its server, is not featured', async () => {
  const mal = await peer.actor('mal')
  const uri = serveCollection(mal)
  const refused = async (name: string): Promise<void> => {
    const answer = await request(mal, uri, `${base}/users/${name}`)
    assert.deepEqual([answer.type, answer.result], ['Reject', undefined], name)
  }
  await refused('ada')
  const [blocking, avoiding] = [
    await discoverablePerson(server, 'blocking'),
    await discoverablePerson(server, 'avoiding'),
  ]
  const { accounts } = await blocking.get(`/api/v2/search?q=${encodeURIComponent(mal.uri)}&resolve=true`)
  await blocking.post(`/api/v1/accounts/${accounts[0].id}/block`)
  await avoiding.post('/api/v1/domain_blocks', { domain: peer.domain })
  await refused('blocking')
  await refused('avoiding')
  for (const who of [ada, blocking, avoiding]) assert.deepEqual(await collectionsWith(who), [])
})

test('a locked account is featured by its followers alone', async () => {
  const [ola, kim] = [await peer.actor('ola'), await discoverablePerson(server, 'kim')]
  const uri = serveCollection(ola)
  const to = `${base}/users/kim`
  await kim.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  assert.equal((await request(ola, uri, to)).type, 'Reject')
  const id = `${ola.uri}/follows/1`
  assert.equal(await peer.send(server, ola, { id, type: 'Follow', actor: ola.uri, object: to }), 202)
  await server.drain()
  const [follower] = await kim.get('/api/v1/follow_requests')
  await kim.post(`/api/v1/follow_requests/${follower.id}/authorize`)
  assert.equal((await request(ola, uri, to)).type, 'Accept')
})

test('a request about a collection that is missing or of another account is rejected, one for an unknown account ignored', async () => {
  const [zoe, sly] = [await peer.actor('zoe'), await peer.actor('sly')]
  const dan = await discoverablePerson(server, 'dan')
  const to = `${base}/users/dan`
  assert.equal((await request(zoe, serveCollection(zoe), `${base}/users/nobody`)) ?? null, null)
  const far = await startPeer()
  try {
    const elsewhere = far.serve('/collections/1', { type: 'FeaturedCollection', id: `${far.url}/collections/1` })
    const foreign = serveCollection(sly)
    const forged = serveCollection(zoe, { attributedTo: `${far.url}/users/zoe` })
    const renamed = serveCollection(zoe, { id: serveCollection(zoe), type: 'Note' })
    for (const uri of [elsewhere, foreign, forged, renamed])
      assert.equal((await request(zoe, uri, to)).type, 'Reject', uri)
    assert.equal((await request(sly, foreign, to)).type, 'Accept')
    assert.equal((await request(zoe, foreign, to)).type, 'Reject', 'also once it is known')
  } finally {
    await far.stop()
  }
  const forgedActor = {
    id: `${zoe.uri}/requests/x`,
    type: 'FeatureRequest',
    actor: sly.uri,
    instrument: to,
    object: to,
  }
  assert.equal(await peer.send(server, zoe, forgedActor), 401)
  assert.equal((await collectionsWith(dan)).length, 1)
})

test('an account that leaves a collection withdraws its authorization, and is not featured again', async () => {
  const [ned, fay] = [await peer.actor('ned'), await discoverablePerson(server, 'fay')]
  const uri = serveCollection(ned)
  const { result } = await request(ned, uri, `${base}/users/fay`)
  const [collection] = await collectionsWith(fay)
  await fay.post(`/api/v1/collections/${collection.id}/items/${collection.items[0].id}/revoke`)
  await server.drain()
  const revocation = peer.received.findLast(({ type }) => type === 'Delete')
  assert.deepEqual(
    [revocation?.actor, revocation?.object],
    [
      `${base}/users/fay`,
      {
        id: result,
        type: 'FeatureAuthorization',
        interactingObject: uri,
        interactionTarget: `${base}/users/fay`,
      },
    ],
  )
  assert.equal((await readDocument(result)).status, 404)
  assert.deepEqual([await collectionsWith(fay), await added(fay)], [[], []])
  assert.equal((await request(ned, uri, `${base}/users/fay`)).type, 'Reject')
})

test('an account that blocks the owner or its server withdraws its authorization', async () => {
  const max = await peer.actor('max')
  const blocks = {
    gil: (who: Person, owner: any) => who.post(`/api/v1/accounts/${owner.id}/block`),
    ida: (who: Person) => who.post('/api/v1/domain_blocks', { domain: peer.domain }),
  }
  for (const [name, block] of Object.entries(blocks)) {
    const who = await discoverablePerson(server, name)
    const { result } = await request(max, serveCollection(max), `${base}/users/${name}`)
    const [notification] = await added(who)
    await block(who, notification.account)
    await server.drain()
    assert.ok(peer.received.some(({ type, object }) => type === 'Delete' && object.id === result))
    assert.equal((await readDocument(result)).status, 404)
    assert.deepEqual(await collectionsWith(who), [])
  }
})

test('a remote collection contains at most 150 accounts, and a remote account has at most 50 collections', async () => {
  const [big, hal] = [await peer.actor('big'), await discoverablePerson(server, 'hal')]
  const orderedItems = Array.from({ length: 151 }, (_, i) => ({
    id: `${peer.url}/items/${i}`,
    type: 'FeaturedItem',
    featuredObject: `${peer.url}/users/member${i}`,
    featureAuthorization: `${peer.url}/stamps/${i}`,
  }))
  assert.equal((await request(big, serveCollection(big, { orderedItems }), `${base}/users/hal`)).type, 'Reject')
  const { rows } = await server.database.raw('select count(*)::int as n from collection_items where uri like $1', [
    `${peer.url}/items/%`,
  ])
  assert.deepEqual(rows, [{ n: 150 }])
  await server.database.raw(
    `insert into collections (id, account_id, uri, name) select n, a.id, 'https://far.test/' || n, 'x'
     from generate_series(1, 49) n, accounts a where a.uri = $1`,
    [big.uri],
  )
  assert.equal((await request(big, serveCollection(big), `${base}/users/hal`)).type, 'Reject')
  assert.deepEqual(await collectionsWith(hal), [])
})
