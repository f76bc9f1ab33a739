// Collections of accounts as ActivityPub documents (FEP-7aa9).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, createCollection, discoverablePerson } from '../support/collections.ts'
import { signedHeaders, type PeerActor } from '../support/peer.ts'
import type { Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const [bob, cleo] = await Promise.all(['bob', 'cleo'].map((name) => discoverablePerson(server, name)))
assert.ok(bob && cleo)

const accept = 'application/activity+json'
const base = server.ctx.config.baseUrl
const read = (uri: string): Promise<Answer> => server.send('GET', new URL(uri).pathname, { headers: { accept } })
const readAs = async (actor: PeerActor, uri: string): Promise<number> =>
  (await server.send('GET', uri, { headers: { accept, ...(await signedHeaders(uri, actor)) } })).status

test('a collection and the authorizations of its members are documents', async () => {
  const details = { name: 'Birds', description: 'Fly <3', language: 'en', tag_name: 'Birds', sensitive: true }
  const collection = await createCollection(ada, { ...details, account_ids: [bob.id, cleo.id] })
  const answer = await read(collection.uri)
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type')?.split(';')[0], answer.headers.get('cache-control')],
    [200, accept, 'public, max-age=180'],
  )
  const { '@context': _context, orderedItems, ...members } = answer.json
  assert.deepEqual(members, {
    id: `${base}/users/ada/collections/${collection.id}`,
    type: 'FeaturedCollection',
    url: `${base}/collections/${collection.id}`,
    attributedTo: `${base}/users/ada`,
    name: 'Birds',
    summary: '<p>Fly &lt;3</p>',
    summaryMap: { en: '<p>Fly &lt;3</p>' },
    topic: { type: 'Hashtag', href: `${base}/tags/birds`, name: '#Birds' },
    sensitive: true,
    discoverable: true,
    published: collection.created_at,
    updated: collection.updated_at,
    totalItems: 2,
  })
  assert.deepEqual(
    orderedItems.map((item: any) => [item.type, item.featuredObject, item.featuredObjectType, item.published]),
    ['bob', 'cleo'].map((name, i) => [
      'FeaturedItem',
      `${base}/users/${name}`,
      'Person',
      collection.items[i].created_at,
    ]),
  )
  assert.deepEqual((await read(collection.url)).json, answer.json, 'the page serves it as well')
  for (const { id, featuredObject, featureAuthorization } of orderedItems) {
    assert.equal((await read(id)).json.id, collection.uri, 'the item is in the document of its id')
    const { '@context': _, ...authorization } = (await read(featureAuthorization)).json
    assert.deepEqual(authorization, {
      id: featureAuthorization,
      type: 'FeatureAuthorization',
      attributedTo: featuredObject,
      interactingObject: collection.uri,
      interactionTarget: featuredObject,
    })
  }
  const html = await server.send('GET', new URL(collection.url).pathname, { headers: { accept: 'text/html' } })
  assert.match(html.headers.get('content-type') ?? '', /^text\/html/)
})

test('an account that leaves a collection is neither in its document nor authorizes it', async () => {
  const { id, uri } = await createCollection(ada, { name: 'Left' })
  const { json } = await addAccount(ada, id, bob.id)
  const before = (await read(uri)).json
  assert.equal(before.summaryMap, undefined)
  const { featureAuthorization } = before.orderedItems[0]
  assert.equal((await read(featureAuthorization)).status, 200)
  assert.equal((await read(featureAuthorization.replace('/bob/', '/cleo/'))).status, 404)
  await bob.post(`/api/v1/collections/${id}/items/${json.collection_item.id}/revoke`)
  assert.equal((await read(featureAuthorization)).status, 404)
  const after = (await read(uri)).json
  assert.deepEqual([after.totalItems, after.orderedItems], [0, []])
})

test('a collection is hidden from accounts that its owner blocks, and gone with its owner', async () => {
  const eve = await peer.actor('eve')
  const owner = await server.person('owner')
  const { id, uri, url } = await createCollection(owner, { account_ids: [bob.id] })
  const addresses = [uri, url, (await read(uri)).json.orderedItems[0].featureAuthorization]
  const statuses = (): Promise<number[]> => Promise.all(addresses.map((address) => readAs(eve, address)))
  assert.deepEqual(await statuses(), [200, 200, 200])
  const { accounts } = await owner.get(`/api/v2/search?q=${encodeURIComponent(eve.uri)}&resolve=true`)
  await owner.post(`/api/v1/accounts/${accounts[0].id}/block`)
  assert.deepEqual(await statuses(), [404, 404, 404])
  await owner.post(`/api/v1/accounts/${accounts[0].id}/unblock`)
  await owner.post('/api/v1/domain_blocks', { domain: peer.domain })
  assert.deepEqual(await statuses(), [404, 404, 404])
  assert.equal((await read(uri)).status, 200)
  for (const path of [`/users/ada/collections/${id}`, '/users/owner/collections/1', '/collections/1'])
    assert.equal((await read(`${base}${path}`)).status, 404, path)
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [owner.id])
  const unsigned = async (): Promise<number[]> => Promise.all(addresses.map(async (each) => (await read(each)).status))
  assert.deepEqual(await unsigned(), [403, 404, 404])
  assert.deepEqual(await statuses(), [403, 404, 404])
  await server.database.raw('update accounts set purged_at = now() where id = $1', [owner.id])
  assert.deepEqual(await unsigned(), [410, 404, 404])
})
